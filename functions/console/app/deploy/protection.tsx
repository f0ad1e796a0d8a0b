import type { PreviewDeploymentOutput } from '../../../../infra/client/package/src/index.ts';
import { Loaded } from '../ui/loaded.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Resource } from '../ui/use-resource.ts';

/** Tells what will protect a live deployment, or what keeps it from being deployed. */
export const ProtectionPreview = ({ of: preview }: { of: Resource<PreviewDeploymentOutput> }) => (
  <section class="stack" aria-label="What will stand at your broker">
    <h3>What will stand at your broker</h3>
    <Loaded of={preview}>
      {({ refusals, symbols, sentences }) => (
        <>
          {refusals.map((text) => (
            <Notice key={text} kind="bad">
              {text}
            </Notice>
          ))}
          {symbols.map((one) => (
            <div key={one.symbol}>
              <h4>{one.symbol}</h4>
              <ul>
                {one.sentences.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </div>
          ))}
          {sentences.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </>
      )}
    </Loaded>
  </section>
);
