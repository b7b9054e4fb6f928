import { useState } from 'react'
import type { Asset } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { createLink, listByEntity, listLinks } from '#contract/studio/links.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Combo } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { linkTexts } from './links.words.ts'
import { type RecordKind, useFoundRecords, useRecordKinds } from './records.ts'

/** Links an asset to a record that the person finds by name, or to one of another program by its identifier. */
export function LinkDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const text = useWords(linkTexts)
  const kinds: (RecordKind | 'other')[] = [...useRecordKinds(), 'other']
  const [kind, setKind] = useState(kinds[0] ?? 'other')
  const [typed, setTyped] = useState<string>()
  const [chosen, setChosen] = useState<{ id: string; label: string }>()
  const [lacksRecord, setLacksRecord] = useState(false)
  const found = useFoundRecords(kind, typed ?? '')
  const create = useAction(createLink, { refreshes: [listLinks, listByEntity] })
  async function send({ entityType = '', entityId = '', note = '' }: Readonly<Record<string, string>>) {
    const record =
      kind === 'other'
        ? { entityType: entityType.trim(), entityId: entityId.trim() }
        : chosen && { entityType: kind, entityId: chosen.id }
    if (!record) return setLacksRecord(true)
    const body = { ...record, ...(note.trim() !== '' && { note: note.trim() }) }
    await create.mutateAsync({ params: { id: asset.id }, body })
    showToast({ text: text.linked })
    onClose()
  }
  return (
    <Dialog title={text.addTitle(asset.name)} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {lacksRecord && !chosen && kind !== 'other' && <Notice kind="danger">{text.choose}</Notice>}
            <Choice
              label={text.kind}
              value={kind}
              options={kinds.map(value => ({ value, label: text[value] }))}
              onChange={next => {
                setKind(next)
                setChosen(undefined)
                setTyped(undefined)
              }}
            />
            {kind === 'other' ? (
              <>
                <TextField
                  {...fieldOf(createLink, 'entityType')}
                  label={text.otherKind}
                  hint={text.otherKindHint}
                  autoComplete="off"
                />
                <TextField {...fieldOf(createLink, 'entityId')} label={text.otherId} autoComplete="off" />
              </>
            ) : (
              <Combo
                key={kind}
                label={text.record}
                hint={text.recordHint}
                items={found.items.map(({ id, label, hint }) => ({ id, label, ...(hint && { hint }) }))}
                isLoading={found.isLoading}
                search={typed ?? chosen?.label ?? ''}
                onSearch={setTyped}
                onBlur={() => setTyped(undefined)}
                value={chosen?.id ?? null}
                onChange={(id, item) => {
                  if (id === null || !item) return
                  setTyped(undefined)
                  setChosen({ id, label: item.label })
                }}
              />
            )}
            <Reason
              name="note"
              label={text.note}
              hint={text.noteHint}
              maxLength={studioLimits.linkNote}
              rows={2}
            />
            <FormActions onLeave={onClose} action={text.link} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
