/** Tests of the templates of all stages. One file, as each synthesis takes seconds. */
import './templates/alarm-figures.ts';
import './templates/failures.ts';
import './templates/least-privilege.ts';
import './templates/local-parity.ts';
import './templates/observability.ts';
import './templates/options.ts';
import './templates/release.ts';
import './templates/resources.ts';
import './templates/route-permissions.ts';
import './templates/stage-differences.ts';
