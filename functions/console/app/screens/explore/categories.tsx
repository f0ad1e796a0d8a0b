import type { StrategyCategoryOut } from '../../../../../infra/client/package/src/index.ts';
import { format } from '../../format.ts';
import { addressOf, type ExploreView } from './view.ts';

interface CategoriesProps {
  readonly of: readonly StrategyCategoryOut[];
  readonly view: ExploreView;
}

/** Links to the categories with their numbers of strategies. Empty categories are left out. */
export const Categories = ({ of: categories, view }: CategoriesProps) => {
  const links = [
    { slug: '', isLiked: false, name: 'All', count: undefined, description: 'All strategies' },
    { slug: '', isLiked: true, name: 'Liked', count: undefined, description: 'Strategies that you like' },
    ...categories
      .filter(({ slug, strategy_count: count }) => count > 0 || slug === view.category)
      .map(({ slug, name, strategy_count: count, description }) => ({
        slug,
        isLiked: false,
        name,
        count,
        description,
      })),
  ];
  return (
    <nav aria-label="Categories">
      <ul class="choices">
        {links.map(({ slug, isLiked, name, count, description }) => (
          <li key={`${slug} ${isLiked}`}>
            <a
              href={`#${addressOf({ ...view, category: slug, isLiked, page: 1 })}`}
              title={description ?? undefined}
              aria-current={slug === view.category && isLiked === view.isLiked ? 'true' : undefined}
            >
              {name}
              {count !== undefined && <span class="muted"> {format.count(count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
