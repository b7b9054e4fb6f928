import { useState } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { readSealCertificate, uploadSealCertificate } from '#contract/crm/seals.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { codeOf } from '../../data/errors.ts'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { sealSettingsTexts } from './seal.words.ts'

/** Uploads the certificate that seals signed budgets, with its passphrase. */
export function UploadSealDialog({ isReplacing, onClose }: { isReplacing: boolean; onClose: () => void }) {
  const text = useWords(sealSettingsTexts)
  const lacks = useWords(lacksTexts)
  const [file, setFile] = useState<File>()
  const upload = useAction(uploadSealCertificate, { refreshes: [readSealCertificate] })
  const fault = faultOf(upload.error?.body.details)
  return (
    <Dialog title={isReplacing ? text.replaceTitle : text.uploadTitle} isOpen onClose={onClose}>
      <ActionForm
        lacks={!file && lacks.file}
        onSubmit={async ({ passphrase = '' }) => {
          const form = new FormData()
          form.set('passphrase', passphrase)
          if (file) form.set('file', file, file.name)
          try {
            const { certificate } = await upload.mutateAsync({ form })
            showToast({ text: text.uploaded(certificate?.subject ?? '') })
            onClose()
          } catch (error) {
            // shown below, in words of the language
            if (codeOf(error) !== 'VALIDATION_ERROR') throw error
          }
        }}
      >
        {({ isBusy }) => (
          <>
            <FileDrop
              label={text.file}
              hint={text.fileHint}
              onFiles={([chosen]) => setFile(chosen)}
              files={file ? [{ id: 'file', name: file.name, bytes: file.size }] : []}
              onRemove={() => setFile(undefined)}
            />
            <TextField
              name="passphrase"
              label={text.passphrase}
              hint={text.passphraseHint}
              maxLength={crmLimits.sealPassphrase}
              type="password"
              autoComplete="off"
              spellCheck="false"
            />
            {fault && <Notice kind="danger">{text[fault]}</Notice>}
            <FormActions onLeave={onClose} action={text.uploadAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The fault of the file, or of its passphrase, that a refusal names. */
function faultOf(details: unknown): 'wrongPassphrase' | 'notReadable' | 'notValidNow' | undefined {
  const [fault] = (details ?? []) as readonly { path: string; code: string }[]
  if (fault?.path === 'passphrase') return 'wrongPassphrase'
  if (fault?.path === 'file') return fault.code === 'validity' ? 'notValidNow' : 'notReadable'
  return undefined
}
