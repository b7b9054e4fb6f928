/** The state of the tab in the address: the version whose files are shown, and the path of the open file. */
export type FilesSearch = { version?: string; file?: string }

export function filesSearchOf(given: Record<string, unknown>): FilesSearch {
  return {
    ...(typeof given.version === 'string' && { version: given.version }),
    ...(typeof given.file === 'string' && { file: given.file }),
  }
}
