import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { type Asset, readAsset } from '#contract/studio/assets.ts'
import { listVersions } from '#contract/studio/versions.ts'
import { codeOf, needErrorTexts } from '../../data/errors.ts'
import { useList, useRead } from '../../data/read.ts'
import { Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import { EditorBar, type EditorView } from './editor-bar.tsx'
import { EditorNotices } from './editor-notices.tsx'
import { FrontMatterForm } from './front-matter-form.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Preview } from './preview.tsx'
import type { SaveChoice } from './save-choice.rules.ts'
import { SaveError } from './save-error.tsx'
import { SavePanel } from './save-panel.tsx'
import { type EditedText, useEditedText, useTextDraft } from './use-edited-text.ts'
import { useObstacle } from './use-obstacle.ts'
import { usePausedText } from './use-paused-text.ts'
import { useSaveText } from './use-save-text.ts'

const TextEditor = lazy(() => import('./text-editor.tsx'))

type Props = { asset: Asset; hasGone: boolean; isHidden: boolean }

/** Edits the text of an asset: Markdown, its front matter, what it looks like, and what will be saved. */
export function Editor(props: Props) {
  const draft = useTextDraft(props.asset.id)
  return draft.isLoaded ? <LoadedEditor {...props} draft={draft} /> : null
}

function LoadedEditor({
  asset,
  hasGone,
  isHidden,
  draft,
}: Props & { draft: ReturnType<typeof useTextDraft> }) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const hintId = useId()
  const [wasRestored] = useState(draft.values !== undefined)
  const flush = useRef(() => {})
  const edit = useEditedText(asset, draft, flush)
  const paused = usePausedText(edit.setText)
  flush.current = paused.flush
  const [view, setView] = useState<EditorView>('markdown')
  const versions = useList(listVersions, { params: { id: asset.id } })
  const obstacle = useObstacle(edit, hasGone)
  const [choice, setChoice] = useState<SaveChoice>({ kind: 'patch', ownVersion: '' })
  const saving = useSaving(asset, edit, choice)

  function submit(event: FormEvent): void {
    event.preventDefault()
    paused.flush()
    // what was typed last counts, although the screen does not show it yet
    if (obstacle === undefined) void saving.save()
  }
  function show(next: EditorView): void {
    paused.flush()
    setView(next)
  }
  function discard(): void {
    const former = edit.current()
    edit.discard()
    showToast({
      kind: 'info',
      text: text.discarded,
      action: { label: text.undo, onPress: () => edit.restore(former) },
    })
  }
  return (
    <form className={styles.editor} aria-label={text.label} hidden={isHidden} onSubmit={submit} noValidate>
      <div className={styles.edit} data-view={view}>
        <EditorBar view={view} onView={show} edit={edit} />
        <EditorNotices edit={edit} hasGone={hasGone} wasRestored={wasRestored} />
        <div className={styles.source} hidden={view !== 'markdown'}>
          <Suspense fallback={<Skeleton rows={12} label={text.loading} />}>
            <TextEditor
              label={text.label}
              describedBy={hintId}
              language={language}
              text={edit.edited.text}
              revision={edit.revision}
              isReadOnly={false}
              onChange={paused.change}
            />
          </Suspense>
        </div>
        {view === 'form' && (
          <FrontMatterForm
            type={asset.type}
            text={edit.edited.text}
            description={edit.edited.description}
            onText={edit.replaceText}
            onDescription={edit.setDescription}
          />
        )}
        {view === 'preview' && <Preview text={edit.edited.text} />}
        <p id={hintId} className={styles.hint} hidden={view !== 'markdown'}>
          {text.leaveHint}
        </p>
      </div>
      <div className={styles.beside}>
        <Preview text={edit.edited.text} />
      </div>
      <SavePanel
        edit={edit}
        choice={choice}
        onChoose={setChoice}
        versions={versions.items.map(({ version }) => version)}
        isPublished={asset.currentVersion.publishedAt !== null}
        obstacle={obstacle}
        isBusy={saving.isBusy}
        onDiscard={discard}
      >
        {saving.error !== undefined && <SaveError error={saving.error} />}
      </SavePanel>
      <LeaveQuestion isDirty={edit.isDirty} />
    </form>
  )
}

function useSaving(asset: Asset, edit: EditedText, choice: SaveChoice) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const { refetch } = useRead(readAsset, { params: { id: asset.id } })
  const send = useSaveText(asset, edit, refetch)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  async function save(): Promise<void> {
    const { base, text: typed, description } = edit.current()
    const isSame = typed === base.text && description === base.description
    if (isBusy || isSame) return
    setBusy(true)
    setError(undefined)
    try {
      const version = await send(choice)
      if (version !== undefined) showToast({ text: text.saved(version) })
    } catch (failure) {
      await needErrorTexts(language)
      // the comparison with the other text says it
      if (codeOf(failure) === 'ASSET_UPDATE_CONFLICT') await refetch()
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { save, isBusy, error }
}

/** Asks before a change of the address leaves the editor with a text that is not saved. */
function LeaveQuestion({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      const staysInEditor =
        next.pathname === current.pathname && (next.search as { edit?: unknown }).edit === true
      return isDirty && !staysInEditor
    },
    withResolver: true,
    enableBeforeUnload: false,
  })
  if (blocker.status !== 'blocked') return null
  return <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />
}
