import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** How long the files of a replaced build stay: what loaded one of a build, a page or a process, loads others later. */
const formerBuildDays = 7

/** Which files and folders are of which build, by their names. */
export type BuildNames = {
  /** Those of the build that is replaced now. */
  isReplaced(name: string): boolean
  /** Those of the new build, if it is in the folder already. */
  isCurrent?(name: string): boolean
}

/**
 * Removes from a folder the files and folders of builds that were replaced more than some days ago. Those of the build that is
 * replaced now get the present time, which the next ones find: when they were made does not say until when they were used.
 */
export function removeFormerBuilds(
  folder: string,
  { isReplaced, isCurrent = () => false }: BuildNames,
): void {
  const now = Date.now()
  const oldest = now - formerBuildDays * 86_400_000
  for (const name of readdirSync(folder).filter(name => !isCurrent(name))) {
    const path = join(folder, name)
    if (isReplaced(name)) utimesSync(path, now / 1000, now / 1000)
    else if (statSync(path).mtimeMs < oldest) rmSync(path, { recursive: true })
  }
}
