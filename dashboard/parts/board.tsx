import { useState } from 'react'
import { useLanguage, useWords } from '../words/words.ts'
import styles from './board.module.css'
import { type FoundCard, findCard, nextColumnOf, withMoves } from './board.rules.ts'
import { boardTexts } from './board.words.ts'
import { BoardColumnOf } from './board-column.tsx'
import { useCardKeys } from './board-keys.ts'
import { useBoardMoves } from './board-moves.ts'
import type { BoardProps } from './board-props.ts'
import { Choice } from './choice.tsx'
import { late } from './late.tsx'
import { countText } from './number-text.ts'
import { useIsPhone } from './phone.ts'
import { showToast } from './toasts.tsx'

export type { BoardColumn, BoardProps } from './board-props.ts'

const MenuAt = late(() => import('./menu.tsx').then(menu => menu.MenuAt))
/** The type of data that only the column at this position takes. Browsers write types in lowercase. */
const dragTypeOf = (position: number) => `patio-board-column-${position}`

/**
 * Cards in columns. A person moves a card by dragging it, with Shift and an arrow, or with its menu. Columns that
 * cannot take the dragged card are dimmed. On a phone, one column is shown at a time.
 */
export function Board<Card extends object>(props: BoardProps<Card>) {
  const { label, cardKey, cardLabel, cardHref, children, obstacleOf, onMove } = props
  const text = useWords(boardTexts)
  const isPhone = useIsPhone()
  const [draggedKey, setDraggedKey] = useState<string>()
  const [shownId, setShownId] = useState<string>()
  const [menu, setMenu] = useState<FoundCard<Card> & { button: HTMLElement }>()
  const { root, moves, move, held } = useBoardMoves(props)
  const columns = props.columns.map(column => withMoves(column, moves, cardKey))
  const columnIds = columns.map(({ id }) => id)
  const shown = columns.find(({ id }) => id === shownId) ?? columns[0]
  const dragged = draggedKey === undefined ? undefined : findCard(columns, draggedKey, cardKey)
  const canMove = onMove !== undefined

  function moveTo(card: Card, to: string): void {
    const column = columns.find(({ id }) => id === to)
    // the card leaves the one column that is shown
    if (isPhone && column) showToast({ kind: 'info', text: text.moved(cardLabel(card), column.title) })
    void move(card, to)
  }
  function moveBy({ card, columnId }: FoundCard<Card>, direction: -1 | 1): void {
    const to = nextColumnOf(columnIds, columnId, direction, id => !obstacleOf?.(card, id))
    const beside = columnIds[columnIds.indexOf(columnId) + direction]
    const reason = beside && obstacleOf?.(card, beside)
    if (to !== undefined) moveTo(card, to)
    else if (reason) showToast({ kind: 'info', text: reason })
  }
  const onKeyDown = useCardKeys({ columns, cardKey, root, moves, held, moveBy, canMove })
  function dragTypesOf(key: string): Record<string, string> {
    const found = findCard(columns, key, cardKey)
    if (!found) return {}
    const types = columnIds.flatMap((to, at) =>
      to !== found.columnId && !obstacleOf?.(found.card, to) ? [[dragTypeOf(at), key]] : [],
    )
    return { 'text/plain': cardLabel(found.card), ...Object.fromEntries(types) }
  }

  return (
    <div
      ref={root}
      tabIndex={-1}
      role="group"
      aria-label={label}
      className={styles.board}
      onKeyDownCapture={onKeyDown}
      onPointerDown={() => {
        held.current = undefined
      }}
    >
      {isPhone && shown && <ColumnChoice columns={columns} shownId={shown.id} onChange={setShownId} />}
      <div className={styles.columns}>
        {columns.map((column, at) =>
          isPhone && column !== shown ? null : (
            <BoardColumnOf
              key={column.id}
              column={column}
              cardKey={cardKey}
              cardLabel={cardLabel}
              cardHref={cardHref}
              isHeadHidden={isPhone}
              canDrag={canMove && !isPhone}
              isImpossible={
                dragged !== undefined &&
                dragged.columnId !== column.id &&
                Boolean(obstacleOf?.(dragged.card, column.id))
              }
              dragType={dragTypeOf(at)}
              dragTypesOf={dragTypesOf}
              onDrag={setDraggedKey}
              onDropped={() => dragged && moveTo(dragged.card, column.id)}
              openMenu={
                canMove ? (card, button) => setMenu({ card, columnId: column.id, button }) : undefined
              }
            >
              {children}
            </BoardColumnOf>
          ),
        )}
      </div>
      {menu && (
        <MoveMenu
          button={menu.button}
          columns={columns}
          columnId={menu.columnId}
          reasonOf={id => obstacleOf?.(menu.card, id)}
          onMove={id => moveTo(menu.card, id)}
          onClose={() => setMenu(undefined)}
        />
      )}
    </div>
  )
}

/** Chooses the column that a phone shows. */
function ColumnChoice<Card extends object>({
  columns,
  shownId,
  onChange,
}: Pick<BoardProps<Card>, 'columns'> & { shownId: string; onChange: (id: string) => void }) {
  const text = useWords(boardTexts)
  const language = useLanguage()
  return (
    <div className={styles.choice}>
      <Choice
        label={text.column}
        isLabelHidden
        value={shownId}
        onChange={onChange}
        options={columns.map(({ id, title, total }) => ({
          value: id,
          label: total === undefined ? title : `${title} · ${countText(total, language)}`,
        }))}
      />
    </div>
  )
}

/** The menu of a card: the columns to which it can move, and why it cannot move to others. */
function MoveMenu<Card extends object>({
  button,
  columns,
  columnId,
  reasonOf,
  onMove,
  onClose,
}: Pick<BoardProps<Card>, 'columns'> & {
  button: HTMLElement
  columnId: string
  reasonOf: (id: string) => string | undefined
  onMove: (id: string) => void
  onClose: () => void
}) {
  const text = useWords(boardTexts)
  return (
    <MenuAt
      label={text.moveTo}
      button={button}
      onClose={onClose}
      groups={[
        {
          id: 'columns',
          title: text.moveTo,
          entries: columns.map(({ id, title }) => {
            const isCurrent = id === columnId
            const reason = isCurrent ? undefined : reasonOf(id)
            return {
              id,
              label: title,
              isCurrent,
              isDisabled: isCurrent || reason !== undefined,
              ...(reason && { hint: reason }),
              onAction: () => onMove(id),
            }
          }),
        },
      ]}
    />
  )
}
