import { usePreferences } from '../data/preferences.tsx'
import { isSingleKey } from '../data/shortcuts.rules.ts'
import { type ShortcutGroup, useShortcutGroups } from '../data/shortcuts.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Key } from '../parts/key.tsx'
import { Notice } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './keys-help.module.css'
import { closeOverlay } from './overlays.ts'

const texts = words({
  es: {
    title: 'Atajos de teclado',
    everywhere: 'En todas partes',
    screen: 'En esta pantalla',
    off: 'Los atajos de una tecla están desactivados en tus preferencias.',
  },
  en: {
    title: 'Keyboard shortcuts',
    everywhere: 'Everywhere',
    screen: 'On this screen',
    off: 'Single-key shortcuts are off in your preferences.',
  },
})

/** The keys that work on this screen, those of the screen before those of the whole dashboard. */
export function KeysHelp() {
  const text = useWords(texts)
  const { singleKeyShortcuts } = usePreferences().preferences
  const groups = useShortcutGroups()
  const isOfShell = ({ shortcuts }: ShortcutGroup) => 'mod+k' in shortcuts
  const shown = [...groups.filter(group => !isOfShell(group)), ...groups.filter(isOfShell)]
  return (
    <Dialog title={text.title} isOpen onClose={closeOverlay}>
      {!singleKeyShortcuts && <Notice>{text.off}</Notice>}
      <div className={styles.groups}>
        {shown.map(group => (
          <Group
            key={Object.keys(group.shortcuts).join()}
            title={group.title || (isOfShell(group) ? text.everywhere : text.screen)}
            shortcuts={group.shortcuts}
            withSingleKeys={singleKeyShortcuts}
          />
        ))}
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts, withSingleKeys }: ShortcutGroup & { withSingleKeys: boolean }) {
  const shown = Object.entries(shortcuts).filter(([name]) => withSingleKeys || !isSingleKey(name))
  if (shown.length === 0) return null
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.list}>
        {shown.map(([name, shortcut]) => (
          <div key={name} className={styles.row}>
            <dt>{shortcut?.label}</dt>
            <dd className={styles.keys}>
              {name.split(' ').map(key => (
                <Key key={key} name={key} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
