import type { ComponentChildren } from 'preact';
import { ChartStates } from './charts.tsx';
import { ButtonStates, DialogStates, FieldStates } from './controls.tsx';
import { FigureStates, TableStates } from './data.tsx';
import { ColourTokens, SizeTokens } from './tokens.tsx';
import { LoadedStates, NoticeStates } from './words.tsx';

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="card" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
);

/** All components of the console in all their states, for its developers. */
export const ComponentsPage = () => (
  <main id="main">
    <article class="screen">
      <header class="screen-head">
        <div>
          <h1>Components</h1>
          <p class="lead">
            All components of the console in all their states. The local service alone has this page.
          </p>
        </div>
        <a href="/console">Console</a>
      </header>
      <Part title="Colours">
        <ColourTokens />
      </Part>
      <Part title="Sizes of texts and spaces">
        <SizeTokens />
      </Part>
      <Part title="Buttons and tabs">
        <ButtonStates />
      </Part>
      <Part title="Fields">
        <FieldStates />
      </Part>
      <Part title="Dialogs">
        <DialogStates />
      </Part>
      <Part title="Notices and tags">
        <NoticeStates />
      </Part>
      <Part title="Loading, errors, nothing">
        <LoadedStates />
      </Part>
      <Part title="Figures">
        <FigureStates />
      </Part>
      <Part title="Tables">
        <TableStates />
      </Part>
      <Part title="Charts">
        <ChartStates />
      </Part>
    </article>
  </main>
);
