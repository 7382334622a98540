import { controlPlugin } from './control';
import { outputPlugin } from './output';
import { questionsPlugin } from './questions';
import { replayPlugin } from './replay';
import { statusPlugin } from './status';

/** What the extension adds to JupyterLab; the record's renderer is registered by `record/`. */
export default [controlPlugin, outputPlugin, questionsPlugin, replayPlugin, statusPlugin];
