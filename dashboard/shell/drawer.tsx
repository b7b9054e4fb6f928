import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import overlay from '../parts/overlay.module.css'
import { useWords } from '../words/words.ts'
import styles from './drawer.module.css'
import { closeOverlay } from './overlays.ts'
import { shellTexts } from './shell.words.ts'
import { Sidebar } from './sidebar.tsx'

/** The navigation on a phone: it slides over the page, and closes when it has led somewhere. */
export function Drawer() {
  const text = useWords(shellTexts)
  const router = useRouter()
  useEffect(() => router.subscribe('onBeforeNavigate', closeOverlay), [router])
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={isOpen => !isOpen && closeOverlay()}
      className={overlay.cover}
    >
      <Modal className={styles.drawer}>
        <Dialog aria-label={text.navigation} className={styles.dialog}>
          <Sidebar isDrawer />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
