import { Facts } from '../../parts/facts.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import styles from './release.module.css'
import { releaseTexts } from './release.words.ts'
import { type ReleaseTraits, traitsOf } from './traits.rules.ts'

/** The programs, tools and addresses of a release, read from its content. */
export function Traits({ release }: { release: Parameters<typeof traitsOf>[0] }) {
  const text = useWords(releaseTexts)
  const traits = traitsOf(release)
  if (isOnlyText(traits)) return <p className={styles.quiet}>{text.onlyText}</p>
  const list = (values: readonly string[]) =>
    values.length > 0 && (
      <Tags>
        {values.map(value => (
          <Tag key={value}>{value}</Tag>
        ))}
      </Tags>
    )
  return (
    <Facts
      facts={[
        {
          term: text.tools,
          value:
            traits.tools === undefined
              ? text.anyTool
              : traits.tools.length === 0
                ? text.noTool
                : list(traits.tools),
        },
        { term: text.model, value: traits.model },
        { term: text.scripts, value: list(traits.scripts) },
        { term: text.commands, value: list(traits.commands) },
        { term: text.starts, value: list(traits.starts) },
        { term: text.hosts, value: list(traits.hosts) },
      ]}
    />
  )
}

function isOnlyText({ tools, model, scripts, commands, starts, hosts }: ReleaseTraits): boolean {
  return (
    tools === undefined &&
    model === undefined &&
    [scripts, commands, starts, hosts].every(list => list.length === 0)
  )
}
