import { controlPlugin } from './control';
import { replayPlugin } from './replay';
import { statusPlugin } from './status';

/** What the extension adds to JupyterLab; the record's renderer is registered by `record/`. */
export default [controlPlugin, replayPlugin, statusPlugin];
