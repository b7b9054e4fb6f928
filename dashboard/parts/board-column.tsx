import type { ReactNode } from 'react'
import { Button, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { useWords } from '../words/words.ts'
import styles from './board.module.css'
import { boardTexts } from './board.words.ts'
import type { BoardColumn, BoardProps } from './board-props.ts'
import { Icon } from './icon.tsx'
import { LoadMore } from './load-more.tsx'
import { Skeleton } from './states.tsx'
import { Total } from './total.tsx'

export type BoardColumnProps<Card extends object> = Pick<
  BoardProps<Card>,
  'cardKey' | 'cardLabel' | 'children'
> & {
  cardHref: BoardProps<Card>['cardHref'] | undefined
  column: BoardColumn<Card>
  /** Cards can be dragged with the pointer and the keyboard. */
  canDrag: boolean
  /** A card is being dragged that cannot come here. */
  isImpossible: boolean
  /** On a phone, a field above the board names the column. */
  isHeadHidden: boolean
  /** The types of data of a dragged card: one for each column that takes it. */
  dragTypesOf: (key: string) => Record<string, string>
  /** The type of data of the cards that can come here. */
  dragType: string
  onDrag: (key: string | undefined) => void
  onDropped: () => void
  /** Shows where a card can go; undefined if cards cannot move. */
  openMenu: ((card: Card, button: HTMLElement) => void) | undefined
}

/** A column of a board: its title, its total, and its cards, which scroll. */
export function BoardColumnOf<Card extends object>(props: BoardColumnProps<Card>) {
  const { column, cardKey, cardLabel, cardHref, children, isImpossible, openMenu } = props
  const text = useWords(boardTexts)
  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !props.canDrag,
    getItems: keys => [...keys].map(key => props.dragTypesOf(String(key))),
    getAllowedDropOperations: () => ['move'],
    onDragStart: ({ keys }) => props.onDrag([...keys].map(String)[0]),
    onDragEnd: () => props.onDrag(undefined),
    acceptedDragTypes: [props.dragType],
    onRootDrop: props.onDropped,
  })
  return (
    <section className={styles.column} aria-label={column.title} data-impossible={isImpossible || undefined}>
      <header className={props.isHeadHidden ? styles.hiddenHead : styles.columnHead}>
        <h2 className={styles.columnTitle}>{column.head ?? column.title}</h2>
        {column.total !== undefined && <Total count={column.total} />}
      </header>
      {column.about && <div className={styles.about}>{column.about}</div>}
      <div className={styles.scroller}>
        {column.isLoading && <Skeleton rows={4} label={text.reading} />}
        {column.error}
        {!column.isLoading && !column.error && (
          <GridList
            aria-label={column.title}
            items={column.cards}
            dependencies={[children, cardLabel, cardHref, openMenu, props.canDrag, text]}
            dragAndDropHooks={dragAndDropHooks}
            className={styles.cards ?? ''}
            renderEmptyState={() => <span className={styles.none}>{text.none}</span>}
          >
            {card => (
              <BoardCard
                key={cardKey(card)}
                cardKey={cardKey(card)}
                label={cardLabel(card)}
                href={cardHref?.(card)}
                content={children(card)}
                canDrag={props.canDrag}
                openMenu={openMenu && (button => openMenu(card, button))}
              />
            )}
          </GridList>
        )}
        {column.hasMore && column.loadMore && (
          <LoadMore
            hasMore
            isLoadingMore={column.isLoadingMore ?? false}
            loadMore={column.loadMore}
            shown={column.cards.length}
            total={column.total}
          />
        )}
      </div>
    </section>
  )
}

function BoardCard({
  cardKey,
  label,
  href,
  content,
  canDrag,
  openMenu,
}: {
  cardKey: string
  label: string
  href: string | undefined
  content: ReactNode
  canDrag: boolean
  openMenu: ((button: HTMLElement) => void) | undefined
}) {
  const text = useWords(boardTexts)
  return (
    <GridListItem
      id={cardKey}
      textValue={label}
      className={styles.card ?? ''}
      {...(href !== undefined && { href })}
    >
      <div className={styles.cardHead}>
        <span className={styles.cardTitle}>{label}</span>
        <span className={styles.tools}>
          {canDrag && (
            <Button slot="drag" className={`${styles.tool} ${styles.handle}`} aria-label={text.drag(label)}>
              <Icon name="menu" />
            </Button>
          )}
          {openMenu && (
            <Button
              className={styles.tool ?? ''}
              aria-label={text.move(label)}
              aria-haspopup="menu"
              onPress={({ target }) => openMenu(target as HTMLElement)}
            >
              <Icon name="more" />
            </Button>
          )}
        </span>
      </div>
      {content}
    </GridListItem>
  )
}
