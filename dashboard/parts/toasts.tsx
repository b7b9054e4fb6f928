import { useWords, words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { createStore, useStore } from './store.ts'
import styles from './toasts.module.css'

export type Toast = {
  text: string
  kind?: 'done' | 'failed' | 'info'
  /** For example to undo it, if that needs no confirmation. */
  action?: { label: string; onPress: () => void }
}
type ShownToast = Toast & { id: number }

const shownMs = 6_000
const most = 3
const toasts = createStore<readonly ShownToast[]>([])
let nextId = 1

/** Shows a message for six seconds. Failures stay until the person closes them. */
export function showToast(toast: Toast): void {
  const id = nextId++
  toasts.set([...toasts.get(), { ...toast, id }].slice(-most))
  if (toast.kind !== 'failed') setTimeout(() => closeToast(id), shownMs)
}

function closeToast(id: number): void {
  toasts.set(toasts.get().filter(toast => toast.id !== id))
}

const texts = words({ es: { close: 'Cerrar', region: 'Avisos' }, en: { close: 'Close', region: 'Notices' } })
const icons = { done: 'done', failed: 'failed', info: 'info' } as const

/** The toasts, at the bottom of the page. Screen readers hear them when they appear. */
export function Toasts() {
  const shown = useStore(toasts)
  const { close, region } = useWords(texts)
  return (
    <section className={styles.region} aria-label={region} aria-live="polite">
      {shown.map(({ id, text, kind = 'done', action }) => (
        <div key={id} className={styles.toast} data-kind={kind}>
          <Icon name={icons[kind]} className={styles.icon} />
          <span className={styles.text}>{text}</span>
          {action && (
            <Button
              kind="quiet"
              size="small"
              onPress={() => {
                closeToast(id)
                action.onPress()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton icon="close" label={close} size="small" onPress={() => closeToast(id)} />
        </div>
      ))}
    </section>
  )
}
