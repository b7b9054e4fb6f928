import { useState } from 'react'
import { transferAsset, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { MemberField } from '../../data/member-field.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { AnyAsset } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'

/** Makes another member the author of an asset. */
export function TransferDialog({ asset, onClose }: { asset: AnyAsset; onClose: () => void }) {
  const text = useWords(assetActionTexts)
  const lacks = useWords(lacksTexts)
  const transfer = useAction(transferAsset)
  const [authorId, setAuthorId] = useState<string | null>(null)
  return (
    <Dialog title={text.transferTitle(asset.name)} isOpen onClose={onClose} size="small">
      <ActionForm
        lacks={(authorId === null || authorId === asset.author.id) && lacks.otherPerson}
        onSubmit={async () => {
          if (authorId === null) return
          const { author } = await transfer.mutateAsync({ params: { id: asset.id }, body: { authorId } })
          showToast({ text: text.transferred(asset.name, author.name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.transferAbout}</p>
            <MemberField label={text.newAuthor} value={authorId} onChange={setAuthorId} isRequired />
            <FormActions onLeave={onClose} action={text.transferAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Transfers all assets of a person, who may have left. One call transfers some of them, so it is repeated. */
export function TransferAllDialog({
  authors,
  onClose,
}: {
  authors: readonly { id: string; name: string }[]
  onClose: () => void
}) {
  const text = useWords(assetActionTexts)
  const lacks = useWords(lacksTexts)
  const transfer = useAction(transferAssetsOf)
  const [personId, setPersonId] = useState<string | null>(null)
  const [authorId, setAuthorId] = useState<string | null>(null)
  const [progress, setProgress] = useState<{ done: number; left: number }>()
  const isSame = personId !== null && personId === authorId

  async function send(): Promise<void> {
    if (personId === null || authorId === null || isSame) return
    for (let done = 0; ; ) {
      const { transferred, remaining } = await transfer.mutateAsync({
        params: { personId },
        body: { authorId },
      })
      done += transferred
      setProgress({ done, left: remaining })
      if (remaining > 0 && transferred > 0) continue
      showToast({ text: text.transferredAll(done) })
      return onClose()
    }
  }
  return (
    <Dialog title={text.transferAllTitle} isOpen onClose={onClose} size="small">
      <ActionForm
        lacks={
          (personId === null || authorId === null || isSame) && (isSame ? lacks.otherPerson : lacks.person)
        }
        onSubmit={send}
      >
        {({ isBusy }) => (
          <>
            <p>{text.transferAllAbout}</p>
            <MemberField
              label={text.formerAuthor}
              value={personId}
              onChange={setPersonId}
              others={authors}
              isRequired
            />
            <MemberField label={text.newAuthor} value={authorId} onChange={setAuthorId} isRequired />
            {isSame && <Notice kind="warn">{text.samePerson}</Notice>}
            {isBusy && progress && <p role="status">{text.transferring(progress.done, progress.left)}</p>}
            <FormActions onLeave={onClose} action={text.transferAllAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
