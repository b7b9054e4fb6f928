import { useMemo } from 'react'
import { MarkdownNodes } from './markdown-nodes.tsx'
import { markdownTree } from './markdown-tree.ts'

/** Markdown that is read at once. The default export, because the parser is loaded only where there is Markdown. */
export default function ShortMarkdown({ text }: { text: string }) {
  const tree = useMemo(() => markdownTree(text), [text])
  return <MarkdownNodes nodes={tree} />
}
