import { useState } from 'react'
import type { AccessLevel, Asset } from '#contract/studio/assets.ts'
import { createShare, listShares, type Share } from '#contract/studio/shares.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { type Ending, ExpiryField, expiryOf, firstEnding } from './expiry-field.tsx'
import { type Grantee, GranteeField } from './grantee-field.tsx'
import { offeredLevels } from './share.rules.ts'
import { shareTexts } from './shares.words.ts'

/** Shares an asset with people, groups and departments, or changes one share. */
export function ShareDialog({
  asset,
  share,
  onClose,
}: {
  asset: Asset
  /** The share to change. */
  share?: Share
  onClose: () => void
}) {
  const text = useWords(shareTexts)
  const values = useWords(assetTexts)
  const [grantees, setGrantees] = useState<readonly Grantee[]>([])
  const [level, setLevel] = useState<AccessLevel>(share?.accessLevel ?? 'READ')
  const [ending, setEnding] = useState<Ending>(() => firstEnding(share?.expiresAt ?? null))
  const create = useAction(createShare, { refreshes: [listShares] })
  const hints = { READ: text.readHint, EDIT: text.editHint, ADMIN: text.adminHint }
  async function send(): Promise<void> {
    const given = share
      ? [{ granteeType: share.granteeType, granteeId: share.granteeId }]
      : grantees.map(({ type, id }) => ({ granteeType: type, granteeId: id }))
    if (given.length === 0) return
    const expiresAt = expiryOf(ending, share?.expiresAt ?? null)
    await create.mutateAsync({
      params: { id: asset.id },
      body: { grantees: given, accessLevel: level, expiresAt },
    })
    showToast({ text: share ? text.saved(share.granteeName) : text.shared })
    onClose()
  }
  return (
    <Dialog
      title={share ? text.changeTitle(share.granteeName) : text.shareTitle(asset.name)}
      isOpen
      onClose={onClose}
    >
      <ActionForm onSubmit={send} reasonOf={({ code }) => (code === 'author' ? text.isAuthor : undefined)}>
        {({ isBusy }) => (
          <>
            {!share && <GranteeField grantees={grantees} authorId={asset.author.id} onChange={setGrantees} />}
            <RadioGroup<AccessLevel>
              label={text.level}
              value={level}
              onChange={setLevel}
              options={offeredLevels(asset.access).map(value => ({
                value,
                label: values[value],
                hint: hints[value],
              }))}
            />
            <ExpiryField value={ending} onChange={setEnding} />
            <FormActions
              onLeave={onClose}
              action={share ? text.save : text.shareAction(Math.max(1, grantees.length))}
              isBusy={isBusy}
              isDisabled={!share && grantees.length === 0}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
