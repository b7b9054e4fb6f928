import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { focusFirstField } from './first-field.ts'
import overlay from './overlay.module.css'

const texts = words({ es: { close: 'Cerrar' }, en: { close: 'Close' } })

export type DialogProps = {
  title: string
  isOpen: boolean
  /** Without it, the dialog cannot be closed. */
  onClose?: () => void
  /** `alertdialog` for questions before something is destroyed. */
  role?: 'dialog' | 'alertdialog'
  size?: 'small' | 'usual' | 'wide'
  /** False: Escape and a press outside do nothing, for forms with unsaved input that ask first. */
  isDismissable?: boolean
  children: ReactNode
}

/** A dialog over the page. Its first empty field gets the focus, which returns to what opened it (DSH-25). */
export function Dialog({
  title,
  isOpen,
  onClose,
  role = 'dialog',
  size = 'usual',
  isDismissable = onClose !== undefined,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={open => !open && onClose?.()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className={`${overlay.cover} ${styles.overlay}`}
    >
      <Modal className={`${overlay.raised} ${styles.modal} ${styles[size]}`}>
        <AriaDialog role={role} className={styles.dialog}>
          <Head title={title} onClose={onClose} />
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function Head({ title, onClose }: { title: string; onClose: (() => void) | undefined }) {
  const { close } = useWords(texts)
  const head = useRef<HTMLElement>(null)
  // it is drawn when the dialog opens
  useEffect(() => focusFirstField(head.current), [])
  return (
    <header ref={head} className={styles.head}>
      <Heading slot="title" className={styles.title}>
        {title}
      </Heading>
      {onClose && <IconButton icon="close" label={close} size="small" onPress={onClose} />}
    </header>
  )
}

/** The last line of a dialog or form: the least important action first, the next step last. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
