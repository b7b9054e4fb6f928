import { useState } from 'react'
import { checkSignatureChain } from '#contract/crm/signatures.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { signingTexts } from './signing.words.ts'

/** Checks the chain of all signatures of the organization, for those who manage it. */
export function ChainCheck() {
  const text = useWords(signingTexts)
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  if (!may(checkSignatureChain)) return null
  return (
    <>
      <Button kind="quiet" onPress={() => setOpen(true)}>
        {text.checkChain}
      </Button>
      {isOpen && <ChainDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function ChainDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(signingTexts)
  const language = useLanguage()
  const { data, error } = useRead(checkSignatureChain, undefined, { staleMs: 0 })
  return (
    <Dialog title={text.chainTitle} size="small" isOpen onClose={onClose}>
      {!data && !error && <Skeleton rows={1} label={text.verifying} />}
      {error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
      {data &&
        (data.brokenAt ? (
          <Notice kind="danger">{text.chainBroken(data.brokenAt.number)}</Notice>
        ) : (
          <Notice kind="done">{text.chainHolds(data.count)}</Notice>
        ))}
      <Actions>
        <Button onPress={onClose} autoFocus>
          {text.close}
        </Button>
      </Actions>
    </Dialog>
  )
}
