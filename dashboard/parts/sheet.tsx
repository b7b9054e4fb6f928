import { type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { Link } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './sheet.module.css'
import { isTyping, useShortcut } from './shortcuts.ts'
import { SheetOpenerContext } from './with-sheet.tsx'

export { WithSheet } from './with-sheet.tsx'

const texts = words({
  es: { close: 'Cerrar', previous: 'Anterior', next: 'Siguiente', page: 'Abrir como página' },
  en: { close: 'Close', previous: 'Previous', next: 'Next', page: 'Open as page' },
})

export type SheetProps = {
  title: string
  /** Below the title: one quiet line. */
  about?: ReactNode
  /** Beside the title: the primary action. */
  actions?: ReactNode
  /** In the head: a menu of further actions. */
  menu?: ReactNode
  /** Where the row is in its list: “1 of 128”. */
  position?: string
  onClose: () => void
  /** Opens the previous or next row; undefined if there is none. */
  onPrevious?: (() => void) | undefined
  onNext?: (() => void) | undefined
  /** The address of the same details as a page. */
  pageHref?: string
  /** At the bottom, always visible. */
  footer?: ReactNode
  /** The content fills the sheet and scrolls by itself, as a log does. */
  isFilled?: boolean
  children: ReactNode
}

/**
 * The details of a row beside its list; on a phone, a page over it. Escape closes it, `[` and `]` open the rows
 * before and after, and the focus returns to where it was.
 */
export function Sheet(props: SheetProps) {
  const { title, about, actions, menu, position, onClose, onPrevious, onNext, pageHref, footer, children } =
    props
  const { isFilled = false } = props
  const text = useWords(texts)
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const sheet = useRef<HTMLElement>(null)
  const ownOpener = useRef<Element>(null)
  const opener = useContext(SheetOpenerContext) ?? ownOpener
  const returnTo = useRef<Element>(null)
  useEffect(() => {
    // the body has the focus when this sheet replaces another one
    if (document.activeElement !== document.body) opener.current = document.activeElement
    heading.current?.focus({ preventScroll: true })
    return () => {
      // on a phone, the page below is visible again by now
      const { current } = returnTo
      if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true })
    }
  }, [opener])
  function close(): void {
    const { activeElement } = document
    const isMine = activeElement === document.body || sheet.current?.contains(activeElement)
    if (isMine) returnTo.current = opener.current
    onClose()
  }
  useShortcut('[', () => onPrevious?.(), onPrevious !== undefined)
  useShortcut(']', () => onNext?.(), onNext !== undefined)
  useEscape(close)
  return (
    <aside ref={sheet} className={styles.sheet} aria-labelledby={id}>
      <header className={styles.bar}>
        {position && <span className={styles.position}>{position}</span>}
        {(onPrevious || onNext) && (
          <>
            <IconButton
              icon="chevronUp"
              label={text.previous}
              shortcut="["
              size="small"
              isDisabled={!onPrevious}
              onPress={() => onPrevious?.()}
            />
            <IconButton
              icon="chevronDown"
              label={text.next}
              shortcut="]"
              size="small"
              isDisabled={!onNext}
              onPress={() => onNext?.()}
            />
          </>
        )}
        <div className={styles.tools}>
          {menu}
          {pageHref !== undefined && (
            <Link href={pageHref} aria-label={text.page} className={styles.pageLink}>
              <Icon name="expand" />
            </Link>
          )}
          <IconButton icon="close" label={text.close} shortcut="escape" onPress={close} />
        </div>
      </header>
      <div
        className={`${styles.content} ${isFilled ? styles.filled : ''}`}
        {...(!isFilled && { tabIndex: 0, role: 'region', 'aria-labelledby': id })}
      >
        <div className={styles.head}>
          <div className={styles.titles}>
            <h2 ref={heading} id={id} tabIndex={-1} className={styles.title}>
              {title}
            </h2>
            {about && <p className={styles.about}>{about}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
        {children}
      </div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </aside>
  )
}

/** Escape closes the sheet, unless a field, a dialog or a menu has the focus and handles the key. */
function useEscape(close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return
      if ((event.target as Element).closest('[role="dialog"], [role="alertdialog"], [role="menu"]')) return
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** A part of a sheet, with the sheet's margins. */
export function SheetSection({ children }: { children: ReactNode }) {
  return <div className={styles.section}>{children}</div>
}
