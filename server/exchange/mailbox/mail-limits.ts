/** bytes of one mail that are read; the rest stays in the mailbox. */
export const LARGEST_MAIL = 40_000_000;
/** Characters of text that are taken of one mail. */
export const LONGEST_TEXT = 200_000;
