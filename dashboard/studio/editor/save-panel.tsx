import { useDeferredValue, useMemo } from 'react'
import { updateAsset } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { fieldOf } from '../../data/action-form.tsx'
import { Button } from '../../parts/button.tsx'
import { Difference, DifferenceCount } from '../../parts/difference.tsx'
import { TextField } from '../../parts/field.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useWords } from '../../words/words.ts'
import { compareTexts } from './compare-texts.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import { type SaveChoice, type SaveKind, savedVersion, saveKinds } from './save-choice.rules.ts'
import type { EditedText } from './use-edited-text.ts'

type VersionChoiceProps = {
  choice: SaveChoice
  onChoose: (choice: SaveChoice) => void
  /** The numbers of the history. */
  versions: readonly string[]
  /** The active version is published, so that it cannot be rewritten. */
  isPublished: boolean
}

/** Shows the text that will be saved, compared with the active version, and asks as which version. */
export function SavePanel({
  edit,
  choice,
  onChoose,
  versions,
  isPublished,
  obstacle,
  isBusy,
  onDiscard,
  children,
}: VersionChoiceProps & {
  edit: EditedText
  /** Why the text cannot be saved now. */
  obstacle: string | undefined
  isBusy: boolean
  onDiscard: () => void
  /** Says why the last attempt failed. */
  children: React.ReactNode
}) {
  const text = useWords(editorTexts)
  const { base, edited, changelog, isDirty } = edit
  // a comparison of long texts must not hold up the typing
  const compared = useDeferredValue(edited.text)
  const difference = useMemo(() => compareTexts(base.text, compared), [base.text, compared])
  const number = savedVersion(choice, base.version, versions)
  return (
    <aside className={styles.save} aria-label={text.whatYouSave}>
      <header className={styles.saveHead}>
        <h2 className={styles.saveTitle}>{text.whatYouSave}</h2>
        <span className={styles.quiet}>{text.against(base.version)}</span>
        {difference && <DifferenceCount {...difference} />}
      </header>
      <div className={styles.difference}>
        {!isDirty && <p className={styles.quiet}>{text.nothingYet}</p>}
        {base.description !== edited.description && <p>{text.descriptionChanged}</p>}
        {difference && <Difference label={text.whatYouSave} difference={difference} />}
      </div>
      <div className={styles.saveForm}>
        {children}
        <TextField
          {...fieldOf(updateAsset, 'changelog')}
          label={text.changelog}
          hint={text.changelogHint}
          value={changelog}
          onChange={edit.setChangelog}
          autoComplete="off"
        />
        <VersionChoice
          base={base.version}
          choice={choice}
          onChoose={onChoose}
          versions={versions}
          isPublished={isPublished}
        />
        {isDirty && obstacle && <p className={styles.quiet}>{obstacle}</p>}
        <div className={styles.buttons}>
          {isDirty && (
            <Button kind="quiet" onPress={onDiscard}>
              {text.discard}
            </Button>
          )}
          <Button
            type="submit"
            kind="primary"
            shortcut="mod+enter"
            isBusy={isBusy}
            isDisabled={!isDirty || obstacle !== undefined || number === ''}
          >
            {choice.kind === 'amend' ? text.rewrite(number) : text.save(number)}
          </Button>
        </div>
      </div>
    </aside>
  )
}

/** Asks as which version the text is saved, with the number that each choice gives. */
function VersionChoice({
  base,
  choice,
  onChoose,
  versions,
  isPublished,
}: VersionChoiceProps & { base: string }) {
  const text = useWords(editorTexts)
  const names: Readonly<Record<SaveKind, string>> = {
    patch: text.newPatch,
    minor: text.newMinor,
    major: text.newMajor,
    own: text.own,
    amend: text.amend,
  }
  const numbered = (kind: SaveKind) =>
    kind === 'own' ? names.own : `${names[kind]} · ${savedVersion({ ...choice, kind }, base, versions)}`
  return (
    <>
      <RadioGroup<SaveKind>
        label={text.saveAs}
        options={saveKinds.map(value => ({
          value,
          label: numbered(value),
          ...(value === 'amend' && isPublished && { isDisabled: true, hint: text.amendPublished }),
        }))}
        value={choice.kind}
        onChange={kind => onChoose({ ...choice, kind })}
      />
      {choice.kind === 'own' && (
        <TextField
          label={text.ownNumber}
          hint={text.ownHint}
          value={choice.ownVersion}
          onChange={ownVersion => onChoose({ ...choice, ownVersion })}
          maxLength={studioLimits.assetVersion}
          autoComplete="off"
          autoFocus
        />
      )}
    </>
  )
}
