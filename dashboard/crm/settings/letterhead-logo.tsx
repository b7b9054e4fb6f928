import { useState } from 'react'
import {
  type Letterhead,
  openLogo,
  readLetterhead,
  removeLogo,
  uploadLogo,
} from '#contract/crm/letterhead.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { useDocument } from '../../data/use-document.ts'
import { Button } from '../../parts/button.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './letterhead.module.css'
import { letterheadTexts } from './letterhead.words.ts'

/** Shows the logo (ISS-7), takes another one, and removes it. Each change is saved at once. */
export function LetterheadLogo({ logo }: { logo: Letterhead['logo'] }) {
  const text = useWords(letterheadTexts)
  const language = useLanguage()
  const [file, setFile] = useState<File>()
  const [isRemoving, setRemoving] = useState(false)
  const upload = useAction(uploadLogo, { refreshes: [readLetterhead] })

  function send(chosen: File): void {
    setFile(chosen)
    const form = new FormData()
    form.set('file', chosen)
    upload.mutate(
      { form },
      {
        onSuccess: () => setFile(undefined),
        toast: () => text.logoSaved,
      },
    )
  }
  const reason =
    upload.error &&
    (codeOf(upload.error) === 'VALIDATION_ERROR' ? text.logoRefused : textOfError(upload.error, language))
  return (
    <div className={styles.logo}>
      <span className={styles.label}>{text.logo}</span>
      {logo && (
        <div className={styles.current}>
          <span className={styles.onPaper}>
            <LogoPicture logo={logo} alt={text.logoAlt} />
          </span>
          <Button size="small" onPress={() => setRemoving(true)}>
            {text.logoRemove}
          </Button>
        </div>
      )}
      {isRemoving && <RemoveLogo onClose={() => setRemoving(false)} />}
      <FileDrop
        label={text.logo}
        hint={text.logoHint(crmLimits.logoBytes / 1_024, crmLimits.logoPixels / 1_000_000)}
        accepts={['image/png', 'image/jpeg']}
        isSingle
        onFiles={([chosen]) => chosen && send(chosen)}
        files={
          file ? [{ id: 'logo', name: file.name, bytes: file.size, ...(reason && { error: reason }) }] : []
        }
        onRemove={() => setFile(undefined)}
      />
    </div>
  )
}

function RemoveLogo({ onClose }: { onClose: () => void }) {
  const text = useWords(letterheadTexts)
  return (
    <ConfirmAction
      operation={removeLogo}
      input={{}}
      refreshes={[readLetterhead]}
      title={text.logoRemoveQuestion}
      action={text.logoRemove}
      isDangerous
      onClose={onClose}
      toast={() => text.logoRemoved}
    >
      {text.logoRemoveAbout}
    </ConfirmAction>
  )
}

/** The picture of a logo; nothing until it is read. */
export function LogoPicture({ logo, alt }: { logo: NonNullable<Letterhead['logo']>; alt: string }) {
  const language = useLanguage()
  const { url, error } = useDocument(openLogo, {}, logo.sha256)
  if (error) return <Notice kind="danger">{textOfError(error, language)}</Notice>
  return url === undefined ? null : <img src={url} alt={alt} className={styles.picture} />
}
