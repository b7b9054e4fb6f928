import type { Config } from './config.ts'
import type { Services } from './platform/services.ts'

/** The data folder, and the file store if it is a folder of this machine. */
export function diskFolders({
  dataDir,
  filesUrl,
}: Pick<Config, 'dataDir' | 'filesUrl'>): NonNullable<Services['diskFolders']> {
  const data = { folder: 'DATA', path: dataDir } as const
  if (!filesUrl.startsWith('file:')) return [data]
  return [data, { folder: 'FILES', path: filesUrl.slice('file:'.length) }]
}
