import { useRef } from 'react'
import { useDragAndDrop } from 'react-aria-components'
import { Tree, type TreeNode, type TreeProps } from './tree.tsx'

const dragType = 'patio-tree-node'

export type MovableTreeProps = Omit<TreeProps, 'dragAndDropHooks'> & {
  /** Moves a node into another one. */
  onMove: (id: string, into: string) => void
  /** Whether a node can go into another one; the others do not take it. */
  canMove: (id: string, into: string) => boolean
}

/** A Tree whose nodes a person drags into each other, with the pointer or, from the handle of a node, with the keyboard. */
export function MovableTree({ onMove, canMove, ...tree }: MovableTreeProps) {
  const dragged = useRef<string>(undefined)
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => {
      dragged.current = [...keys].map(String)[0]
      return [...keys].map(key => ({
        'text/plain': labelOf(tree.nodes, String(key)) ?? '',
        [dragType]: String(key),
      }))
    },
    getAllowedDropOperations: () => ['move'],
    acceptedDragTypes: [dragType],
    shouldAcceptItemDrop: ({ key }) => dragged.current !== undefined && canMove(dragged.current, String(key)),
    onItemDrop: ({ target }) => {
      if (dragged.current !== undefined) onMove(dragged.current, String(target.key))
    },
  })
  return <Tree {...tree} dragAndDropHooks={dragAndDropHooks} />
}

function labelOf(nodes: readonly TreeNode[], id: string): string | undefined {
  for (const node of nodes) {
    const found = node.id === id ? node.label : labelOf(node.children ?? [], id)
    if (found !== undefined) return found
  }
  return undefined
}
