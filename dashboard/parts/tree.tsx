import { type KeyboardEvent, useMemo, useState } from 'react'
import {
  Tree as AriaTree,
  Button,
  Collection,
  type DragAndDropHooks,
  TreeItem,
  TreeItemContent,
} from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { Icon, type IconName } from './icon.tsx'
import type { MenuEntry } from './menu.tsx'
import { MoreMenu } from './more-menu.tsx'
import styles from './tree.module.css'

const texts = words({
  es: {
    toggle: 'Abrir o cerrar',
    drag: (label: string) => `Arrastrar ${label}`,
    actions: (label: string) => `Acciones de ${label}`,
  },
  en: {
    toggle: 'Open or close',
    drag: (label: string) => `Drag ${label}`,
    actions: (label: string) => `Actions for ${label}`,
  },
})

export type TreeNode = {
  id: string
  label: string
  icon?: IconName
  /** At the end of the line: a count, a size. */
  count?: number | string
  href?: string
  children?: readonly TreeNode[]
}

export type TreeProps = {
  label: string
  nodes: readonly TreeNode[]
  /** The node whose content the page shows. */
  current?: string | undefined
  /** Opens a node without `href` and without children; those with children open and close. */
  onOpen?: (id: string) => void
  /** The actions of a node, behind a button at the end of its line. */
  menuOf?: ((id: string) => readonly MenuEntry[]) | undefined
  /** Single keys on the focused node. */
  keys?: Readonly<Record<string, ((id: string) => void) | undefined>>
  /** Nodes can be dragged; use MovableTree. */
  dragAndDropHooks?: DragAndDropHooks
}

/**
 * A hierarchy, such as collections in collections, at first with all its nodes open. Arrows move, open and close; Enter
 * follows a link.
 */
export function Tree(props: TreeProps) {
  const { label, nodes, onOpen, keys = {}, dragAndDropHooks } = props
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const parents = useMemo(() => parentIdsOf(nodes), [nodes])
  const open = useMemo(() => parents.filter(id => !closed.has(id)), [parents, closed])

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = (event.target as Element).closest<HTMLElement>('[data-key]')
    const run = row === event.target ? keys[event.key] : undefined
    if (!run || row?.dataset.key === undefined) return
    // else the tree searches for a node that begins with this letter
    event.preventDefault()
    event.stopPropagation()
    run(row.dataset.key)
  }
  function toggle(id: string): void {
    setClosed(new Set(closed.has(id) ? [...closed].filter(other => other !== id) : [...closed, id]))
  }
  return (
    <div className={styles.place} onKeyDownCapture={onKeyDown}>
      <AriaTree
        aria-label={label}
        items={nodes}
        dependencies={[props]}
        className={styles.tree}
        expandedKeys={open}
        onExpandedChange={shown => setClosed(new Set(parents.filter(id => !shown.has(id))))}
        {...(onOpen && {
          onAction: (key: string | number) =>
            parents.includes(String(key)) ? toggle(String(key)) : onOpen(String(key)),
        })}
        {...(dragAndDropHooks && { dragAndDropHooks })}
      >
        {node => <Branch node={node} tree={props} />}
      </AriaTree>
    </div>
  )
}

function Branch({ node, tree }: { node: TreeNode; tree: TreeProps }) {
  const text = useWords(texts)
  const isCurrent = node.id === tree.current
  const entries = tree.menuOf?.(node.id) ?? []
  return (
    <TreeItem
      id={node.id}
      textValue={node.label}
      className={`${styles.item} ${isCurrent ? styles.current : ''}`}
      {...(node.href !== undefined && { href: node.href })}
    >
      <TreeItemContent>
        {({ hasChildItems, allowsDragging }) => (
          <div className={styles.line}>
            {hasChildItems ? (
              <Button slot="chevron" className={styles.chevron} aria-label={text.toggle}>
                <Icon name="chevronRight" />
              </Button>
            ) : (
              <span className={styles.chevron} />
            )}
            {node.icon && <Icon name={node.icon} className={styles.icon} />}
            <span className={styles.label} {...(isCurrent && { 'aria-current': 'page' as const })}>
              {node.label}
            </span>
            {allowsDragging && (
              <Button slot="drag" className={styles.tool} aria-label={text.drag(node.label)}>
                <Icon name="menu" />
              </Button>
            )}
            {entries.length > 0 && (
              <span className={styles.tool}>
                <MoreMenu
                  label={text.actions(node.label)}
                  groups={[{ id: 'actions', entries }]}
                  size="small"
                />
              </span>
            )}
            {node.count !== undefined && <span className={styles.count}>{node.count}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children ?? []} dependencies={[tree]}>
        {child => <Branch node={child} tree={tree} />}
      </Collection>
    </TreeItem>
  )
}

function parentIdsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ id, children = [] }) => (children.length > 0 ? [id, ...parentIdsOf(children)] : []))
}
