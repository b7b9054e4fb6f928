import { Code } from '../../parts/code.tsx'
import { LocalTabs } from '../../parts/local-tabs.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import styles from './tokens.module.css'
import { tokenTexts } from './tokens.words.ts'
import { toolLinesOf } from './tool-lines.ts'

/** The finished lines for the tools that people use, with the token in its place. */
export function ToolLines({ token }: { token: string }) {
  const text = useWords(tokenTexts)
  const lines = toolLinesOf(location.origin, token)
  return (
    <div>
      <h3 className={styles.subtitle}>{text.connect}</h3>
      <LocalTabs
        label={text.connect}
        tabs={[
          {
            id: 'claude',
            title: text.claude,
            content: (
              <div className={styles.lines}>
                <p className={styles.quiet}>{text.claudeAbout}</p>
                {location.protocol === 'http:' && <Notice kind="warn">{text.needsHttps}</Notice>}
                <Code text={lines.marketplace} label={text.line(text.claude)} isWrapped />
              </div>
            ),
          },
          {
            id: 'mcp',
            title: text.mcp,
            content: (
              <div className={styles.lines}>
                <p className={styles.quiet}>{text.mcpAbout}</p>
                <Code text={lines.mcp} label={text.line(text.mcp)} isWrapped />
                <p className={styles.quiet}>{text.mcpJson}</p>
                <Code text={lines.mcpJson} label={text.mcpJson} isWrapped />
              </div>
            ),
          },
          {
            id: 'skills',
            title: text.skills,
            content: (
              <div className={styles.lines}>
                <p className={styles.quiet}>{text.skillsAbout}</p>
                <Code text={lines.skills} label={text.line(text.skills)} isWrapped />
              </div>
            ),
          },
          {
            id: 'header',
            title: text.headers,
            content: (
              <div className={styles.lines}>
                <p className={styles.quiet}>{text.headersAbout}</p>
                <Code text={lines.header} label={text.headers} isWrapped />
              </div>
            ),
          },
        ]}
      />
    </div>
  )
}
