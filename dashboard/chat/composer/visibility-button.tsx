import { useState } from 'react'
import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { Icon } from '../../parts/icon.tsx'
import { late } from '../../parts/late.tsx'
import { useWords } from '../../words/words.ts'
import styles from './composer.module.css'
import { composerTexts } from './composer.words.ts'
import type { Audience } from './use-audience.ts'

const MenuAt = late(() => import('../../parts/menu.tsx').then(menu => menu.MenuAt))
const icons = { VISIBLE: 'eye', INTERNAL: 'hidden', PRIVATE: 'lock' } as const

/** Says who will see the message, and changes it. */
export function VisibilityButton({
  visibility,
  audience: { people, applications },
  readers,
  onChange,
}: {
  visibility: MessageVisibility
  audience: Audience
  /** The names of the chosen readers of a private message. */
  readers: readonly string[]
  onChange: (visibility: MessageVisibility) => void
}) {
  const text = useWords(composerTexts)
  const [button, setButton] = useState<HTMLElement>()
  const readerWords = {
    VISIBLE: text.everybody(people, applications),
    INTERNAL: text.noApplication(people),
    PRIVATE: readers.length > 0 ? text.onlyYouAnd(readers) : text.onlyYou,
  }
  const labels = { VISIBLE: text.visibleEntry, INTERNAL: text.internalEntry, PRIVATE: text.privateEntry }
  const hints = { VISIBLE: readerWords.VISIBLE, INTERNAL: readerWords.INTERNAL, PRIVATE: text.privateHint }
  return (
    <>
      <button
        type="button"
        className={styles.visibility}
        aria-haspopup="menu"
        aria-expanded={button !== undefined}
        onPointerEnter={MenuAt.preload}
        onFocus={MenuAt.preload}
        onClick={event => setButton(event.currentTarget)}
      >
        <Icon name={icons[visibility]} />
        <span className={styles.readerWords}>
          {text[visibility]} <span className={styles.strong}>{readerWords[visibility]}</span>
        </span>
        <Icon name="chevronDown" />
      </button>
      {button && (
        <MenuAt
          label={text.visibility}
          button={button}
          onClose={() => setButton(undefined)}
          placement="top start"
          groups={[
            {
              id: 'visibility',
              title: text.visibility,
              entries: (['VISIBLE', 'INTERNAL', 'PRIVATE'] as const).map(id => ({
                id,
                label: labels[id],
                hint: hints[id],
                icon: icons[id],
                isCurrent: id === visibility,
                onAction: () => onChange(id),
              })),
            },
          ]}
        />
      )}
    </>
  )
}
