import { useState } from 'react'
import { type Attachment, addressOfFile, listFiles, removeFile } from '#contract/studio/files.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useFileDownload } from '../../data/use-file-content.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Person } from '../../parts/person.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { FilePreview } from './file-preview.tsx'
import { fileTexts } from './files.words.ts'

type Props = {
  file: Attachment | undefined
  canRemove: boolean
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** An attachment beside the tree: what it is, and its content where it can be shown. */
export function FileSheet({ file, canRemove, ...sheet }: Props) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const may = useMay()
  const download = useFileDownload(addressOfFile)
  const [isRemoving, setRemoving] = useState(false)
  if (!file)
    return (
      <Sheet {...sheet} title={text.files}>
        <SheetSection>
          <Problem title={text.gone} />
        </SheetSection>
      </Sheet>
    )
  const params = { id: file.assetId, version: file.version, fileId: file.id }
  async function save(): Promise<void> {
    try {
      await download({ params })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  return (
    <>
      <Sheet
        {...sheet}
        title={file.filename}
        about={file.path === file.filename ? undefined : file.path}
        actions={
          <Button kind="primary" icon="download" onPress={() => void save()}>
            {text.download}
          </Button>
        }
        menu={
          canRemove &&
          may(removeFile) && (
            <MoreMenu
              label={text.actions}
              groups={[
                {
                  id: 'actions',
                  entries: [
                    {
                      id: 'remove',
                      label: text.remove,
                      icon: 'trash',
                      isDangerous: true,
                      onAction: () => setRemoving(true),
                    },
                  ],
                },
              ]}
            />
          )
        }
      >
        <SheetSection>
          <Facts
            facts={[
              { term: text.size, value: sizeText(file.size, language) },
              { term: text.type, value: file.contentType },
              { term: text.inVersion, value: file.version },
              { term: text.by, value: <Person name={file.createdBy.name} /> },
              { term: text.at, value: <Time value={file.createdAt} form="moment" isFocusable /> },
              { term: text.digest, value: <Id value={file.sha256} isShortened /> },
            ]}
          />
        </SheetSection>
        <SheetSection>
          <FilePreview file={file} />
        </SheetSection>
      </Sheet>
      {isRemoving && (
        <RemoveFileDialog file={file} onClose={() => setRemoving(false)} onRemoved={sheet.onClose} />
      )}
    </>
  )
}

function RemoveFileDialog({
  file,
  onClose,
  onRemoved,
}: {
  file: Attachment
  onClose: () => void
  onRemoved: () => void
}) {
  const text = useWords(fileTexts)
  return (
    <ConfirmAction
      operation={removeFile}
      input={{ params: { id: file.assetId, version: file.version, fileId: file.id } }}
      refreshes={[listFiles]}
      title={text.removeTitle(file.path)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(file.filename)}
      onDone={onRemoved}
    >
      <p>{text.removeAbout(file.version)}</p>
    </ConfirmAction>
  )
}
