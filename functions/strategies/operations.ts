import type { Operation } from '../../shared/api/operation.ts';
import { archiveStrategy } from './archive-strategy.ts';
import { buildNewStrategy } from './build-new-strategy.ts';
import { copyStrategy } from './copy-strategy.ts';
import { getB2cBrokers } from './get-b2c-brokers.ts';
import { getBrokerSpecificTickers } from './get-broker-specific-tickers.ts';
import { getConnectedBrokerDetails } from './get-connected-broker-details.ts';
import { getExploreStrategies } from './get-explore-strategies.ts';
import { getExploreStrategyFavourites } from './get-explore-strategy-favourites.ts';
import { getInstrumentSuggestions } from './get-instrument-suggestions.ts';
import { getMultiAssetStrategies } from './get-multi-asset-strategies.ts';
import { getPublishedStrategies } from './get-published-strategies.ts';
import { getReferredUserCount } from './get-referred-user-count.ts';
import { getStrategiesByUser } from './get-strategies-by-user.ts';
import { getStrategiesPerformanceMetrics } from './get-strategies-performance-metrics.ts';
import { getStrategy } from './get-strategy.ts';
import { getStrategyAddOns } from './get-strategy-add-ons.ts';
import { getStrategyCategories } from './get-strategy-categories.ts';
import { getStrategyTemplates } from './get-strategy-templates.ts';
import { likeStrategy } from './like-strategy.ts';
import { profilePublishStrategy } from './profile-publish-strategy.ts';
import { publishExploreStrategy } from './publish-explore-strategy.ts';
import { renameStrategy } from './rename-strategy.ts';
import { rotateKeygen } from './rotate-keygen.ts';
import { searchExploreStrategies } from './search-explore-strategies.ts';
import { setStrategyRules } from './set-strategy-rules.ts';
import { unlikeStrategy } from './unlike-strategy.ts';
import { updateStrategy } from './update-strategy.ts';

/** Strategies, the explore catalogue, instruments and brokers. */
export const strategiesOperations: readonly Operation[] = [
  buildNewStrategy,
  copyStrategy,
  likeStrategy,
  unlikeStrategy,
  profilePublishStrategy,
  publishExploreStrategy,
  renameStrategy,
  updateStrategy,
  archiveStrategy,
  rotateKeygen,
  setStrategyRules,
  getStrategy,
  getStrategyTemplates,
  getPublishedStrategies,
  getExploreStrategies,
  getExploreStrategyFavourites,
  getStrategyCategories,
  searchExploreStrategies,
  getStrategiesByUser,
  getStrategiesPerformanceMetrics,
  getStrategyAddOns,
  getMultiAssetStrategies,
  getInstrumentSuggestions,
  getBrokerSpecificTickers,
  getB2cBrokers,
  getConnectedBrokerDetails,
  getReferredUserCount,
];
