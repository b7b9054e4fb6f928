import type { MarkdownNode } from './markdown-node.ts'
import { markdownTree } from './markdown-tree.ts'

/** A part of the tree of a long text, and whether it is the last. */
export type MarkdownPiece = { nodes: readonly MarkdownNode[]; isLast: boolean }

/** A piece has about so many nodes, or one block that has more. */
const pieceNodes = 500

let blocks: readonly MarkdownNode[] = []
let sentBlocks = 0

/** The first message is the text, each later one asks for the next piece: the page takes what it has time to draw. */
addEventListener('message', ({ data }: MessageEvent<string | undefined>) => {
  if (data !== undefined) blocks = markdownTree(data)
  const nodes: MarkdownNode[] = []
  let count = 0
  for (const block of blocks.slice(sentBlocks)) {
    if (count >= pieceNodes) break
    nodes.push(block)
    count += countOf(block)
  }
  sentBlocks += nodes.length
  const piece: MarkdownPiece = { nodes, isLast: sentBlocks === blocks.length }
  postMessage(piece)
})

function countOf(node: MarkdownNode): number {
  const children = 'children' in node ? node.children : []
  return children.reduce((sum, child) => sum + countOf(child), 1)
}
