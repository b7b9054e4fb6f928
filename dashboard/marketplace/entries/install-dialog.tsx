import { useState } from 'react'
import { type Entry, installEntry } from '#contract/marketplace/entries.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { Traits } from '../release/traits.tsx'
import { entryTexts } from './entry.words.ts'

/** Installs a private copy of an entry, after the person has said that they read it. */
export function InstallDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const text = useWords(entryTexts)
  const [isRead, setRead] = useState(false)
  const [lacksCheck, setLacksCheck] = useState(false)
  const install = useAction(installEntry)

  async function send({ customName = '' }: Readonly<Record<string, string>>): Promise<void> {
    if (!isRead) return setLacksCheck(true)
    const name = customName.trim()
    const { filesFailed } = await install.mutateAsync({
      params: { id: entry.id },
      body: { acknowledgeDisclaimer: true, ...(name !== '' && { customName: name }) },
    })
    const failed = filesFailed > 0 ? ` ${text.filesFailed(filesFailed)}` : ''
    showToast({
      text: `${text.installedIt(name || entry.name)}${failed}`,
      kind: filesFailed > 0 ? 'info' : 'done',
    })
    onClose()
  }

  return (
    <Dialog title={text.installTitle(entry.name)} isOpen onClose={onClose}>
      <p>{text.installAbout(entry.version)}</p>
      <Traits release={entry} />
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {lacksCheck && !isRead && <Notice kind="danger">{text.needsDisclaimer}</Notice>}
            <TextField
              {...fieldOf(installEntry, 'customName')}
              label={text.customName}
              hint={text.customHint}
              placeholder={entry.name}
              autoComplete="off"
            />
            <Checkbox isSelected={isRead} onChange={setRead}>
              {text.disclaimer}
            </Checkbox>
            <FormActions onLeave={onClose} action={text.installAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
