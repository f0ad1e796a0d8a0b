/** Tests that try each operation with a scenario. One file, as a world of users takes seconds. */
import './scenarios/idempotency.ts';
import './scenarios/idempotency-authority.ts';
// After the others, as these end sessions of the world and let hours pass.
import './scenarios/access-table.ts';
import './scenarios/ended-sessions.ts';
import './scenarios/leaving.ts';
