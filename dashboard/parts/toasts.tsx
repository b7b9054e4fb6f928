import { useSyncExternalStore } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './toasts.module.css'

export type Toast = {
  text: string
  kind?: 'done' | 'failed' | 'info'
  /** Undoes it, for what can be undone without a question. */
  action?: { label: string; onPress: () => void }
}
type ShownToast = Toast & { id: number }

const shownMs = 6_000
const most = 3
let toasts: readonly ShownToast[] = []
let nextId = 1
const listeners = new Set<() => void>()

/** Tells the person that something happened. Failures stay until they are closed. */
export function showToast(toast: Toast): void {
  const id = nextId++
  update([...toasts, { ...toast, id }].slice(-most))
  if (toast.kind !== 'failed') setTimeout(() => closeToast(id), shownMs)
}

function closeToast(id: number): void {
  update(toasts.filter(toast => toast.id !== id))
}

function update(next: readonly ShownToast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const texts = words({ es: { close: 'Cerrar', region: 'Avisos' }, en: { close: 'Close', region: 'Notices' } })
const icons = { done: 'done', failed: 'failed', info: 'info' } as const

/** The toasts, at the bottom of the page. Screen readers hear them when they appear. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
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
