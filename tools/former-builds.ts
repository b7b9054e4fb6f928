import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How long the files of former builds stay: what loaded one of a build, a page or a process, loads others later. */
const formerBuildDays = 7

/**
 * Removes from a folder the files and folders of builds that are older than some days. Those whose names `isInUse` accepts stay
 * whatever their age: the current build, and the newest former one, which may still run or be shown.
 */
export function removeFormerBuilds(folder: string, isInUse: (name: string) => boolean): void {
  const oldest = Date.now() - formerBuildDays * 86_400_000
  for (const name of readdirSync(folder).filter(name => !isInUse(name))) {
    const path = join(folder, name)
    if (statSync(path).mtimeMs < oldest) rmSync(path, { recursive: true })
  }
}
