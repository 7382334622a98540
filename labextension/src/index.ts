import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

/** What the extension adds to JupyterLab; the record's renderer is registered by `record/`. */
const plugins: JupyterFrontEndPlugin<unknown>[] = [];

export default plugins;
