const NUMBER = String.raw`\.? ?(?:\d{1,5}[a-z]?|[a-z])`;
const BEFORE =
  'kvartira|kv|apartment|apt|appt|flat|unit|suite|ste|podieezd|etazh|floor|door|ofis|office|room|pomeshchenie|komnata|wohnung|whg|stiege|top|tur|puerta|planta|scala|interno|lokal';
/** Shorter ones are words without their point. */
const SHORTENED = 'of|et|pod|pom|app|lok|m|int|esc';
const ORDINAL = String.raw`\d{1,3}(?:st|nd|rd|th|\.|-?(?:i|yi|ogo|go|om|er|eme))?`;
const AFTER = 'floor|etazh|etazhe|podieezd|stock|og|etage|piso|piano|pietro';

/** "кв. 5", "flat 3", "2nd floor", "Top 7": inside the house, and useless for finding it. */
export const UNIT = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${BEFORE})${NUMBER}|(?:${SHORTENED})\. ?\d{1,5}[a-z]?|${ORDINAL} ?(?:${AFTER}))(?![\p{L}\p{N}])`,
  'gu',
);
