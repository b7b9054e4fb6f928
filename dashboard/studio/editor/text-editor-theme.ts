import { EditorView } from '@codemirror/view'

const ring = { outline: 'var(--ring) solid var(--focus)', outlineOffset: '-2px' }

/** The look of the editor, of the variables of the page alone: it follows the theme of the page. */
export const textEditorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--ground)', font: 'var(--t-mono)' },
  '&.cm-focused': ring,
  '.cm-scroller': { font: 'var(--t-mono)', lineHeight: '22px', overflow: 'auto' },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 24px 0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--quiet)',
    border: '0',
    paddingInlineStart: '12px',
  },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection':
    { backgroundColor: 'var(--chosen)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--chosen)' },
  '.cm-panels': { backgroundColor: 'var(--sunk)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 32px 8px 12px',
    font: 'var(--t-12)',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: '12px' },
  '.cm-textfield': {
    height: '28px',
    padding: '0 8px',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r-field)',
    backgroundColor: 'var(--raised)',
    font: 'var(--t-14)',
  },
  '.cm-button': {
    height: '28px',
    padding: '0 8px',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--r-field)',
    backgroundColor: 'var(--raised)',
    backgroundImage: 'none',
    font: 'var(--t-12)',
  },
  '.cm-textfield:focus-visible, .cm-button:focus-visible': ring,
  '.cm-panel.cm-search [name=close]': { width: '28px', height: '28px', color: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
})
