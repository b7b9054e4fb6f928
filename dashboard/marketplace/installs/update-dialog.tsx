import { useEffect, useRef, useState } from 'react'
import { type InstallUpdate, updateInstall } from '#contract/marketplace/installs.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { installTexts } from './install.words.ts'
import { UpdateConflicts } from './update-conflicts.tsx'

type Side = 'yours' | 'theirs'
type Props = { installId: string; name: string; onClose: () => void }

/** Updates a copy: shows first how the new version and the person's own changes merge, and what collides. */
export function UpdateDialog({ installId, name, onClose }: Props) {
  const text = useWords(installTexts)
  const language = useLanguage()
  const { mutate, data, error } = useAction(updateInstall, { refreshes: [] })
  const hasStarted = useRef(false)
  const preview = useRef(() => mutate({ params: { id: installId }, body: { dryRun: true } }))
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    preview.current()
  }, [])
  return (
    <Dialog
      title={text.updateTitle(name)}
      isOpen
      onClose={onClose}
      size={data?.conflicts.length ? 'wide' : 'usual'}
    >
      {error ? (
        <Notice kind="danger">{textOfError(error, language)}</Notice>
      ) : data ? (
        <UpdateForm installId={installId} preview={data} onClose={onClose} onChanged={preview.current} />
      ) : (
        <Skeleton rows={3} label={text.comparing} />
      )}
    </Dialog>
  )
}

function UpdateForm({
  installId,
  preview,
  onClose,
  onChanged,
}: Omit<Props, 'name'> & { preview: InstallUpdate; onChanged: () => void }) {
  const text = useWords(installTexts)
  const [take, setTake] = useState<Side | null>(null)
  const [lacksTake, setLacksTake] = useState(false)
  const update = useAction(updateInstall)
  const { conflicts, fromVersion, toVersion, isMerged } = preview
  const collides = conflicts.length > 0

  async function send(): Promise<void> {
    if (collides && take === null) return setLacksTake(true)
    try {
      const { version } = await update.mutateAsync({
        params: { id: installId },
        body: take !== null && collides ? { take } : {},
      })
      showToast({ text: version === null ? text.unchanged(toVersion) : text.updated(toVersion) })
      onClose()
    } catch (error) {
      // the copy was changed since the preview
      if (codeOf(error) === 'INSTALL_CONFLICT') onChanged()
      throw error
    }
  }

  return (
    <ActionForm onSubmit={send}>
      {({ isBusy }) => (
        <>
          <p>
            {text.fromTo(fromVersion, toVersion)}{' '}
            {collides ? text.conflicts(conflicts.length) : isMerged ? text.clean : text.asReleased}
          </p>
          {collides && (
            <>
              <UpdateConflicts conflicts={conflicts} />
              {lacksTake && take === null && <Notice kind="danger">{text.needsTake}</Notice>}
              <RadioGroup
                label={text.take}
                value={take}
                onChange={setTake}
                options={[
                  { value: 'yours', label: text.takeYours, hint: text.takeYoursHint },
                  { value: 'theirs', label: text.takeTheirs, hint: text.takeTheirsHint },
                ]}
              />
            </>
          )}
          <FormActions onLeave={onClose} action={text.updateAction(toVersion)} isBusy={isBusy} autoFocus />
        </>
      )}
    </ActionForm>
  )
}
