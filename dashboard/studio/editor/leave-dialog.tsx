import { LeaveQuestion } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'

/** Asks before somebody leaves a text that is not saved. The draft stays. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { leaveTitle, leaveAbout, stay, leave } = useWords(editorTexts)
  return (
    <LeaveQuestion
      title={leaveTitle}
      about={leaveAbout}
      stay={stay}
      leave={leave}
      onStay={onStay}
      onLeave={onLeave}
    />
  )
}
