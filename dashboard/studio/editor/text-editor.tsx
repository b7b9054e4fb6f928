import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Annotation, Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useRef } from 'react'
import type { Language } from '../../words/words.ts'
import styles from './editor.module.css'
import { markdownLanguage } from './markdown-language.ts'
import { spanishPhrases } from './text-editor.words.ts'
import { textEditorTheme } from './text-editor-theme.ts'

export type TextEditorProps = {
  /** Names the editor for screen readers. */
  label: string
  /** The id of a sentence that says how to leave the editor by keyboard. */
  describedBy: string
  language: Language
  /** The text to begin with, and to show instead whenever `revision` changes. */
  text: string
  revision: number
  isReadOnly: boolean
  /** Runs after each change. `read` gives the whole text, which takes time if it is long. */
  onChange: (read: () => string) => void
}

/** A change that comes from outside, which the form knows already. */
const isFromOutside = Annotation.define<boolean>()
/** Longer texts have no highlighting of equal words, which would be searched after each key. */
const mostMatched = 100_000

const readCspNonce = () =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? ''

/** The text editor. The default export, because its script is large and comes alone. */
export default function TextEditor(props: TextEditorProps) {
  const { text, revision, isReadOnly, language, label, describedBy } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const changeable = useRef(new Compartment())
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  // made once: later changes come through `revision`
  useEffect(() => {
    if (!place.current) return
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          changeable.current.of(changeableOf(latest.current)),
          EditorView.updateListener.of(({ docChanged, transactions, state }) => {
            if (!docChanged || transactions.some(one => one.annotation(isFromOutside))) return
            latest.current.onChange(() => state.doc.toString())
          }),
          ...fixedExtensions(latest.current.text.length),
        ],
      }),
    })
    view.current = made
    made.focus()
    return () => made.destroy()
  }, [])
  const shownRevision = useRef(revision)
  useEffect(() => {
    const current = view.current
    if (!current || shownRevision.current === revision) return
    shownRevision.current = revision
    current.dispatch({
      changes: { from: 0, to: current.state.doc.length, insert: text },
      annotations: isFromOutside.of(true),
    })
  }, [revision, text])
  useEffect(() => {
    const options = { label, describedBy, language, isReadOnly }
    view.current?.dispatch({ effects: changeable.current.reconfigure(changeableOf(options)) })
  }, [label, describedBy, language, isReadOnly])
  return <div ref={place} className={styles.code} />
}

type Changeable = Pick<TextEditorProps, 'label' | 'describedBy' | 'language' | 'isReadOnly'>

function changeableOf({ label, describedBy, language, isReadOnly }: Changeable): Extension {
  return [
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby': describedBy,
      spellcheck: 'true',
      autocorrect: 'on',
      autocapitalize: 'sentences',
    }),
    EditorState.readOnly.of(isReadOnly),
    EditorState.phrases.of(language === 'es' ? spanishPhrases : {}),
  ]
}

function fixedExtensions(length: number): Extension[] {
  return [
    EditorView.cspNonce.of(readCspNonce()),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    drawSelection(),
    history(),
    search({ top: true }),
    ...(length < mostMatched ? [highlightSelectionMatches()] : []),
    EditorView.lineWrapping,
    markdownLanguage,
    textEditorTheme,
    // the form around the editor saves; the editor's own key would insert a line
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => true }])),
    keymap.of([indentWithTab, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ]
}
