import { useState } from 'react'
import type { Asset } from '#contract/studio/assets.ts'
import { exportAsset, type PackageProfile } from '#contract/studio/packages.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useDownload } from '../../data/use-download.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { changesOf, type PackageChange } from './export.rules.ts'
import styles from './transfer.module.css'
import { exportTexts } from './transfer.words.ts'

/** Downloads the package of an asset, and says before what the chosen profile changes in it. */
export function ExportDialog({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const text = useWords(exportTexts)
  const [profile, setProfile] = useState<PackageProfile>('agent-skills')
  const [isWrapped, setWrapped] = useState(true)
  const [hasSidecar, setSidecar] = useState(true)
  const { version: active } = asset
  const published = asset.publishedVersion
  const [version, setVersion] = useState(active)
  const fileName = `${asset.slug}.zip`
  const download = useDownload(exportAsset, fileName)
  async function send(): Promise<void> {
    await download.mutateAsync({
      params: { id: asset.id },
      query: { version, profile, layout: isWrapped ? 'wrapped' : 'flat', sidecar: hasSidecar },
    })
    showToast({ text: text.done(fileName) })
    onClose()
  }
  return (
    <Dialog title={text.title(asset.name)} isOpen onClose={onClose}>
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <RadioGroup<PackageProfile>
              label={text.profile}
              value={profile}
              onChange={setProfile}
              options={[
                { value: 'agent-skills', label: text.skills, hint: text.skillsHint },
                { value: 'claude-code', label: text.claude, hint: text.claudeHint },
              ]}
            />
            <section className={styles.changes} aria-label={text.changes} aria-live="polite">
              <p className={styles.changesTitle}>{text.changes}</p>
              <ul className={styles.lines}>
                {changesOf(asset, profile).map(change => (
                  <li key={change.kind}>
                    <ChangeText change={change} />
                  </li>
                ))}
              </ul>
            </section>
            {published !== null && published !== active && (
              <Choice
                label={text.version}
                value={version}
                onChange={setVersion}
                options={[
                  { value: active, label: text.active(active) },
                  { value: published, label: text.publishedOne(published) },
                ]}
              />
            )}
            <Checkbox isSelected={isWrapped} onChange={setWrapped} hint={text.folderHint}>
              {text.folder}
            </Checkbox>
            <Checkbox isSelected={hasSidecar} onChange={setSidecar} hint={text.sidecarHint}>
              {text.sidecar}
            </Checkbox>
            <FormActions onLeave={onClose} action={text.download} icon="download" isBusy={isBusy} autoFocus />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function ChangeText({ change }: { change: PackageChange }) {
  const text = useWords(exportTexts)
  switch (change.kind) {
    case 'keys':
      return text.keys(change.keys.join(', '))
    case 'description-cut':
      return text.descriptionCut
    case 'description-marks':
      return text.descriptionMarks
    case 'description-missing':
      return text.descriptionMissing
    case 'nothing':
      return text.nothing
    default:
      return text[change.kind]
  }
}
