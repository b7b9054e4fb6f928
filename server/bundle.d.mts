/** The files and folders that the bundle is made of. */
export const bundleSources: readonly string[]
/** The folder of all bundles, each in its own. */
export const bundlesFolder: string
/** The folder of the bundle that belongs to the sources as they are. */
export function bundleFolder(): string
/** The URL of the module with all commands in the bundle; undefined if the sources were not bundled. */
export function bundledCommands(): string | undefined
