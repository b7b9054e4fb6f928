import { studioLimits } from '#contract/studio/limits.ts'
import type { TreeNode } from '../../parts/tree.tsx'

type FileAtPath = { id: string; path: string; size: number }

/** The attachments as a tree of folders and files. Folders come first, both in the order of their names. */
export function treeOfFiles(files: readonly FileAtPath[], sizeText: (bytes: number) => string): TreeNode[] {
  return branchOf(
    files.map(file => ({ file, parts: file.path.split('/') })),
    '',
    sizeText,
  )
}

type Placed = { file: FileAtPath; parts: readonly string[] }

function branchOf(placed: readonly Placed[], above: string, sizeText: (bytes: number) => string): TreeNode[] {
  const folders = Object.groupBy(
    placed.filter(({ parts }) => parts.length > 1),
    ({ parts: [folder = ''] }) => folder,
  )
  const files = placed.filter(({ parts }) => parts.length === 1)
  const byName = (one: TreeNode, other: TreeNode) => one.label.localeCompare(other.label)
  return [
    ...Object.entries(folders)
      .map(([name, inside = []]): TreeNode => {
        const path = `${above}${name}/`
        return {
          id: `folder:${path}`,
          label: name,
          icon: 'collections',
          children: branchOf(
            inside.map(({ file, parts }) => ({ file, parts: parts.slice(1) })),
            path,
            sizeText,
          ),
        }
      })
      .toSorted(byName),
    ...files
      .map(
        ({ file, parts: [label = ''] }): TreeNode => ({
          id: file.id,
          label,
          icon: 'file',
          count: sizeText(file.size),
        }),
      )
      .toSorted(byName),
  ]
}

/** The files in the order in which the tree shows them. */
export function inOrderOf<File extends FileAtPath>(
  nodes: readonly TreeNode[],
  files: readonly File[],
): File[] {
  const byId = new Map(files.map(file => [file.id, file]))
  const idsOf = (some: readonly TreeNode[]): string[] =>
    some.flatMap(({ id, children = [] }) => [id, ...idsOf(children)])
  return idsOf(nodes).flatMap(id => byId.get(id) ?? [])
}

/** The path of a new file below a folder: `scripts/` and `run.py` give `scripts/run.py`. */
export function pathBelow(folder: string, path: string): string {
  const inside = folder
    .split('/')
    .map(part => part.trim())
    .filter(part => part !== '')
  return [...inside, path].join('/').normalize('NFC')
}

/** Why a path cannot be in a package (FIL-4). */
export type PathProblem = 'characters' | 'long' | 'deep'

export function problemOfPath(path: string): PathProblem | undefined {
  const parts = path.split('/')
  if (parts.length > studioLimits.filePathDepth) return 'deep'
  if (new TextEncoder().encode(path).length > studioLimits.filePathBytes) return 'long'
  const isPlain = !/[\\\p{Cc}\p{Zl}\p{Zp}\ufffd]/u.test(path) && !/^[a-z]:/i.test(path)
  const areParts = parts.every(part => part.trim() !== '' && part !== '.' && part !== '..')
  return isPlain && areParts ? undefined : 'characters'
}

/** Files that operating systems put into folders and nobody means to attach. */
export function isJunk(path: string): boolean {
  return /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX|\.git|node_modules|__pycache__)(\/|$)/.test(path)
}

/** The largest file that is shown as text. */
export const mostTextBytes = 1_048_576
const mostImageBytes = 10_485_760
const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml']

/** How a file is shown beside the list, or why it is not. Files are never shown in a frame. */
export function previewOf({
  contentType,
  size,
}: {
  contentType: string
  size: number
}): 'image' | 'text' | 'large' | 'none' {
  const type = contentType.replace(/;.*/s, '').trim()
  if (images.includes(type)) return size <= mostImageBytes ? 'image' : 'large'
  const isText =
    type.startsWith('text/') ||
    /^application\/(json|jsonl|xml|yaml|toml|sql|x-sh|[\w.-]+\+(json|xml))$/.test(type)
  if (!isText) return 'none'
  return size <= mostTextBytes ? 'text' : 'large'
}
