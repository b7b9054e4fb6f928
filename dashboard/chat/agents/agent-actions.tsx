import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { useWords } from '../../words/words.ts'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'

/** The actions that decide on an agent as buttons, with their keys. */
const asButtons = ['reject', 'approve', 'pause', 'resume']
const primary = ['approve', 'resume']

/** The next steps of an agent: a button for each decision, which is possible now. */
export function AgentButtons({ entries }: { entries: readonly MenuEntry[] }) {
  const text = useWords(agentTexts)
  const possible = entries.filter(({ isDisabled }) => !isDisabled)
  useShortcuts(
    Object.fromEntries(
      possible.flatMap(({ shortcut, label, onAction }) =>
        shortcut && onAction ? [[shortcut, { label, action: onAction }]] : [],
      ),
    ),
    text.agent,
  )
  const shown = asButtons.flatMap(name => possible.find(({ id }) => id === name) ?? [])
  if (shown.length === 0) return null
  return (
    <div className={styles.actions}>
      {shown.map(({ id, label, shortcut, onAction }) => (
        <Button
          key={id}
          kind={primary.includes(id) ? 'primary' : 'secondary'}
          {...(shortcut && { shortcut })}
          onPress={() => onAction?.()}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

/** The other actions of an agent. */
export function AgentMenu({ entries }: { entries: readonly MenuEntry[] }) {
  const text = useWords(agentTexts)
  const rest = entries.filter(({ id, isDisabled }) => isDisabled || !asButtons.includes(id))
  return <MoreMenu label={text.actions} groups={[{ id: 'actions', entries: rest }]} />
}
