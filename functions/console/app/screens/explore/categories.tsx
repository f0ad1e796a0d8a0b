import type { StrategyCategoryOut } from '../../../../../infra/client/package/src/index.ts';
import { CATEGORY_SLUGS } from '../../../../../shared/domain/strategies/categories.ts';
import { format } from '../../format.ts';
import { addressOf, type ExploreView } from './view.ts';

interface CategoriesProps {
  readonly of: readonly StrategyCategoryOut[];
  readonly view: ExploreView;
}

/** Links to the categories with their numbers of strategies. Empty categories are left out. */
export const Categories = ({ of: categories, view }: CategoriesProps) => {
  const links = [
    { slug: '' as const, isLiked: false, name: 'All', count: undefined, description: 'All strategies' },
    {
      slug: '' as const,
      isLiked: true,
      name: 'Liked',
      count: undefined,
      description: 'Strategies that you like',
    },
    ...categories.flatMap(({ slug: text, strategy_count: count, ...category }) => {
      const slug = CATEGORY_SLUGS.find((known) => known === text);
      if (slug === undefined || (count === 0 && slug !== view.category)) return [];
      return [{ ...category, slug, isLiked: false, count }];
    }),
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
