import { Tree as AriaTree, Button, Collection, TreeItem, TreeItemContent } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './tree.module.css'

const texts = words({ es: { toggle: 'Abrir o cerrar' }, en: { toggle: 'Open or close' } })

export type TreeNode = {
  id: string
  label: string
  icon?: IconName
  /** At the end of the line: a count. */
  count?: number | string
  href?: string
  children?: readonly TreeNode[]
}

/** A hierarchy, such as collections in collections, at first with all its nodes open. Arrows move, open and close; Enter follows a link. */
export function Tree({
  label,
  nodes,
  current,
  onOpen,
}: {
  label: string
  nodes: readonly TreeNode[]
  /** The node whose content the page shows. */
  current?: string
  onOpen?: (id: string) => void
}) {
  return (
    <AriaTree
      aria-label={label}
      items={nodes}
      className={styles.tree}
      {...(current !== undefined && { selectedKeys: [current], selectionMode: 'single' as const })}
      {...(onOpen && {
        selectionMode: 'single' as const,
        onSelectionChange: keys => keys !== 'all' && keys.size > 0 && onOpen(String([...keys][0])),
      })}
      defaultExpandedKeys={idsOf(nodes)}
    >
      {node => <Branch node={node} />}
    </AriaTree>
  )
}

function Branch({ node }: { node: TreeNode }) {
  const { toggle } = useWords(texts)
  return (
    <TreeItem
      id={node.id}
      textValue={node.label}
      className={styles.item}
      {...(node.href !== undefined && { href: node.href })}
    >
      <TreeItemContent>
        {({ hasChildItems }) => (
          <div className={styles.line}>
            {hasChildItems ? (
              <Button slot="chevron" className={styles.chevron} aria-label={toggle}>
                <Icon name="chevronRight" />
              </Button>
            ) : (
              <span className={styles.chevron} />
            )}
            {node.icon && <Icon name={node.icon} className={styles.icon} />}
            <span className={styles.label}>{node.label}</span>
            {node.count !== undefined && <span className={styles.count}>{node.count}</span>}
          </div>
        )}
      </TreeItemContent>
      <Collection items={node.children ?? []}>{child => <Branch node={child} />}</Collection>
    </TreeItem>
  )
}

function idsOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ id, children = [] }) => [id, ...idsOf(children)])
}
