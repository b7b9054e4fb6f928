/** An attachment with its path in the package. */
export type PlacedAttachment<File = { path: string; sha256: string }> = { file: File; packagePath: string }

/**
 * Assigns each attachment its path in the package. An attachment keeps its own path unless a reserved file or an earlier
 * attachment conflicts with it, also on case-insensitive disks. Then `SKILL.md` becomes `SKILL.attached.md`. The result is
 * ordered by the original paths.
 */
export function assignPackagePaths<File extends { path: string }>(
  reserved: readonly string[],
  files: readonly File[],
): PlacedAttachment<File>[] {
  const names = new Set(reserved.map(fold))
  const folders = new Set(reserved.flatMap(path => foldersOf(fold(path))))
  return [...files]
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(file => {
      let packagePath = file.path
      for (let n = 1; ; n++) {
        const blocked = blockedPart(packagePath, names, folders)
        if (blocked === undefined) break
        packagePath = renamePart(file.path, blocked, n)
      }
      names.add(fold(packagePath))
      for (const folder of foldersOf(fold(packagePath))) folders.add(folder)
      return { file, packagePath }
    })
}

/** The index of the conflicting part of a path: a part that is a file, or the last part if it is a folder. */
function blockedPart(path: string, names: Set<string>, folders: Set<string>): number | undefined {
  const parts = fold(path).split('/')
  const blocked = parts.findIndex((_, index) => names.has(parts.slice(0, index + 1).join('/')))
  if (blocked !== -1) return blocked
  return folders.has(parts.join('/')) ? parts.length - 1 : undefined
}

function renamePart(path: string, part: number, n: number): string {
  const mark = `attached${n === 1 ? '' : `-${n}`}`
  return path
    .split('/')
    .map((name, index) => (index === part ? name.replace(/(?=\.[^.]*$)|$/, `.${mark}`) : name))
    .join('/')
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
