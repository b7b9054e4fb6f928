import { identityLimits } from '#contract/identity/limits.ts'
import { findPeople, lockPerson } from '#contract/identity/operator.ts'
import { useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { FoundPerson } from './found-person.ts'
import { peopleTexts } from './people.words.ts'

/** Locks a person, with the reason. */
export function LockDialog({ person: { id, name }, onClose }: { person: FoundPerson; onClose: () => void }) {
  const text = useWords(peopleTexts)
  const lock = useAction(lockPerson, { refreshes: [findPeople] })
  return (
    <ReasonDialog
      title={text.lockTitle(name)}
      about={text.lockAbout}
      action={text.lockAction}
      isDangerous
      label={text.reason}
      hint={text.reasonHint(identityLimits.operatorLockReasonMin)}
      minLength={identityLimits.operatorLockReasonMin}
      maxLength={identityLimits.operatorReason}
      draftOf={{ operation: lockPerson, objectId: id }}
      onClose={onClose}
      onSubmit={async reason => {
        await lock.mutateAsync({ params: { id }, body: { reason } })
        showToast({ text: text.isLocked(name) })
      }}
    />
  )
}
