import { memo, useEffect, useMemo, useState } from 'react'
import type { MarkdownNode } from '../../parts/markdown-node.ts'
import { MarkdownNodes } from '../../parts/markdown-nodes.tsx'
import { isPlainText, type Names, plainNodes, withMentions } from './chat-text.rules.ts'
import styles from './message.module.css'

type Parser = (text: string) => readonly MarkdownNode[]
let parser: Parser | undefined

/** The Markdown of a message. Most messages are plain text, for which the parser is not loaded. */
export const MessageText = memo(function MessageText({ text, names }: { text: string; names: Names }) {
  const parse = useParser(!isPlainText(text))
  const nodes = useMemo(
    () => (parse ? withMentions(parse(text), names) : plainNodes(text, names)),
    [parse, text, names],
  )
  return (
    <div className={styles.text}>
      <MarkdownNodes nodes={nodes} />
    </div>
  )
})

/** The parser once it is loaded; until then the source is shown. */
function useParser(isNeeded: boolean): Parser | undefined {
  const [loaded, setLoaded] = useState(() => parser)
  useEffect(() => {
    if (!isNeeded || loaded) return
    let isShown = true
    void import('../../parts/markdown-tree.ts').then(
      ({ markdownTree }) => {
        parser = markdownTree
        if (isShown) setLoaded(() => markdownTree)
      },
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [isNeeded, loaded])
  return isNeeded ? loaded : undefined
}
