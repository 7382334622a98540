import { controlPlugin } from './control';
import { questionsPlugin } from './questions';
import { replayPlugin } from './replay';
import { statusPlugin } from './status';

/** What the extension adds to JupyterLab; the record's renderer is registered by `record/`. */
export default [controlPlugin, questionsPlugin, replayPlugin, statusPlugin];
