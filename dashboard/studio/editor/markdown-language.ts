import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { GFM, type MarkdownConfig, parser } from '@lezer/markdown'

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } })

/** Front matter at the start of a text, which Markdown would take for a heading. */
const frontMatter: MarkdownConfig = {
  defineNodes: [{ name: 'FrontMatter', block: true, style: tags.meta }],
  parseBlock: [
    {
      name: 'FrontMatter',
      before: 'HorizontalRule',
      parse(context, line) {
        if (context.lineStart !== 0 || !/^---[ \t]*$/.test(line.text)) return false
        while (context.nextLine()) {
          if (!/^---[ \t]*$/.test(line.text)) continue
          const end = context.lineStart + line.text.length
          context.addElement(context.elt('FrontMatter', 0, end))
          context.nextLine()
          return true
        }
        context.addElement(context.elt('FrontMatter', 0, context.prevLineEnd()))
        return true
      },
    },
  ],
}

const markdown = parser.configure([
  GFM,
  frontMatter,
  { props: [languageDataProp.add(type => (type.isTop ? data : undefined))] },
])

/** The colours are those of the page, so the theme follows it. */
const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--info)' },
  {
    tag: [tags.monospace, tags.meta, tags.quote, tags.comment, tags.processingInstruction],
    color: 'var(--quiet)',
  },
])

const placeholders = new MatchDecorator({
  regexp: /\$ARGUMENTS(?:\[\d\])?(?!\w)|\$\d(?!\w)|\{\{\s*[\w-]+\s*\}\}/g,
  decoration: Decoration.mark({ class: 'cm-placeholder-argument' }),
})

/** Marks the places of arguments, in the lines that are in sight. */
const argumentMarks = ViewPlugin.fromClass(
  class {
    marks: DecorationSet
    constructor(view: EditorView) {
      this.marks = placeholders.createDeco(view)
    }
    update(update: ViewUpdate): void {
      this.marks = placeholders.updateDeco(update, this.marks)
    }
  },
  { decorations: plugin => plugin.marks },
)

/** Markdown with front matter and arguments, in colours. */
export const markdownLanguage: Extension = [
  new Language(data, markdown, [], 'markdown'),
  syntaxHighlighting(style),
  argumentMarks,
  EditorView.baseTheme({ '.cm-placeholder-argument': { color: 'var(--info)' } }),
]
