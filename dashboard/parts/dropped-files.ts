/** A dropped file, with its path below the dropped folder; a file alone has its name. */
export type DroppedFile = { path: string; file: File }

/** The files of a drop, also those inside of dropped folders. */
export async function filesOfDrop(data: DataTransfer): Promise<DroppedFile[]> {
  // the list of items is empty once the handler of the event has returned
  const entries = [...data.items].flatMap(item => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...data.files].map(file => ({ path: file.name, file }))
  const lists = await Promise.all(entries.map(entry => filesOfEntry(entry, '')))
  return lists.flat()
}

/** The chosen files of an input, which names the folder of each when a person chose a folder. */
export function filesOfInput(files: Iterable<File>): DroppedFile[] {
  return [...files].map(file => ({ path: file.webkitRelativePath || file.name, file }))
}

async function filesOfEntry(entry: FileSystemEntry, folder: string): Promise<DroppedFile[]> {
  const path = `${folder}${entry.name}`
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path, file }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const lists = await Promise.all((await childrenOf(entry)).map(child => filesOfEntry(child, `${path}/`)))
  return lists.flat()
}

async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  // a browser returns at most 100 at a time, and none at the end
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return all
    all.push(...some)
  }
}
