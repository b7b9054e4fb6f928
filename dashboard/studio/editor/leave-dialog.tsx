import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'

/** Asks before somebody leaves a text that is not saved. The draft stays. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const text = useWords(editorTexts)
  return (
    <Dialog title={text.leaveTitle} isOpen onClose={onStay} role="alertdialog" size="small">
      <p>{text.leaveAbout}</p>
      <Actions>
        <Button kind="quiet" onPress={onLeave}>
          {text.leave}
        </Button>
        <Button kind="primary" autoFocus onPress={onStay}>
          {text.stay}
        </Button>
      </Actions>
    </Dialog>
  )
}
