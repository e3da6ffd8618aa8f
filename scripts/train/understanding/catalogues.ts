/** Made-up catalogues: names that share words, as those of real ones do, with the letters of their ids. */
export type Catalogue = {
  kind: "goods" | "rooms" | "services" | "lanes" | "plans";
  names: readonly (readonly [name: string, code: string])[];
};

const goods = (text: string): Catalogue => ({ kind: "goods", names: parse(text) });
const parse = (text: string): (readonly [string, string])[] =>
  text.split(",").map((entry) => {
    const [name = "", code = ""] = entry.trim().split("/");
    return [name, code];
  });

export const CATALOGUES: readonly Catalogue[] = [
  goods(
    "Wall clock/WCL,Kitchen clock/KCL,Alarm clock/ACL,Pocket watch/PWT,Diver watch/DWT,Leather strap/STR,Steel strap/STS,Watch winder/WWD,Hourglass/HGL",
  ),
  goods(
    "Trail shoe/TRS,Running shoe/RNS,Rain jacket/RJK,Fleece jacket/FJK,Wool cap/CAP,Hiking pole/POL,Gaiter/GTR,Trekking sock/SOC,Cotton shirt/SHT",
  ),
  goods(
    "Paint roller/PRL,Flat brush/FBR,Round brush/RBR,Primer/PRM,Wood varnish/VAR,Boat varnish/BVR,Spray gun/SPG,Masking tape/TAP,Step ladder/LDR,Roof ladder/RLD",
  ),
  goods(
    "Hydraulic press/HPR,Toggle press/TPR,Drill press/DPR,Band saw/BSW,Panel saw/PSW,Dust extractor/DEX,Bench vice/VCE,Torque wrench/TQW,Impact wrench/IPW,Pressure gauge/PGA",
  ),
  goods(
    "Dental chair/DCH,Curing lamp/CLP,Scaler/SCL,Autoclave/AUT,X-ray sensor/XRS,Surgical light/SGL,Suction pump/SPM,Air compressor/ACP,Impression tray/TRY",
  ),
  goods(
    "Espresso grinder/EGR,Filter grinder/FGR,Milk frother/MFR,Tamper/TMP,Drip kettle/KTL,Travel mug/MUG,Scale/SCA,Water filter/WFL,Paper filter/PFL,Cleaning brush/CBR",
  ),
  goods(
    "Wing mirror/WMR,Rear mirror/RMR,Brake pad/BPD,Brake disc/BDC,Clutch kit/CLK,Cabin filter/CFL,Spark plug/SPK,Glow plug/GPL,Timing belt/TBL,Roof rack/RRK",
  ),
  goods(
    "Solar panel/SOL,Battery pack/BAT,String inverter/INV,Hybrid inverter/HIV,Charge controller/CHC,Mounting rail/RAIL,Smart meter/SMT,Wall charger/WCH,Heat pump/HTP",
  ),
  goods(
    "Seed drill/SDR,Disc harrow/DHR,Power harrow/PHR,Hay baler/HBL,Grain dryer/GDR,Milk tank/MTK,Feed mixer/FMX,Slurry tanker/SLT,Front loader/FLD,Rotary rake/RRA",
  ),
  goods(
    "Gas turbine/GTB,Steam turbine/STB,Rotor shaft/RSH,Control valve/CVL,Relief valve/RVL,Ball valve/BVL,Feed pump/FPM,Oil cooler/OCL,Thrust bearing/TBR,Seal kit/SLK",
  ),
  goods(
    "Desk organiser/DOR,Laser pointer/LPT,Document scanner/DSC,Paper shredder/PSH,Name badge/NBG,Ring binder/RBN,Conference phone/CPH,Desk phone/DPH,Projector/PRJ",
  ),
  goods(
    "Ice skate/ISK,Hockey stick/HST,Goal net/GNT,Training ball/TBA,Match ball/MBA,Shin guard/SHG,Boxing glove/BGL,Goalie glove/GGL,Yoga mat/YMT,Jump rope/JRP",
  ),
  goods(
    "Aquarium heater/AQH,Pond heater/PNH,Air pump/AIP,Bird cage/BCG,Cat tree/CTR,Dog crate/DCR,Dog lead/DLD,Feeder/FED,Litter box/LTB",
  ),
  goods(
    "Wheelset/WHS,Saddle bag/SBG,Frame bag/FBG,Bike lock/BLK,Cable lock/CLO,Front light/FLT,Rear light/RLT,Bottle cage/BTC,Pedal/PDL,Chain guard/CHG",
  ),
  goods(
    "Cargo drone/CDR,Survey drone/SVD,Flight controller/FCT,Ground station/GST,Landing pad/LPD,Propeller/PRP,Camera gimbal/CGB,Thermal camera/THC,Long-range antenna/LRA,Patch antenna/PAN",
  ),
  goods(
    "Baby monitor/BMO,High chair/HCH,Booster seat/BST,Car seat/CST,Stroller/STO,Twin stroller/TWS,Bottle warmer/BTW,Night light/NLT,Play mat/PMT",
  ),
  {
    kind: "rooms",
    names: parse(
      "Single room/SGR,Double room/DBR,Garden room/GDN,Junior suite/JSU,Royal suite/RSU,Lake chalet/LCH,Forest chalet/FCH,Camper pitch/CPT,Conference hall/CFH",
    ),
  },
  {
    kind: "rooms",
    names: parse(
      "City apartment/CAP,Loft apartment/LAP,Beach villa/BVI,Hill villa/HVI,Studio/STU,Houseboat/HBO,Tree house/TRH,Surf lodge/SLO",
    ),
  },
  {
    kind: "services",
    names: parse(
      "Object storage/OBS,Block storage/BLS,Search cluster/SCL,Batch cluster/BTC,Message queue/MSQ,Build runner/BRN,Edge cache/ECH,Image resizer/IRS,Login service/LGS",
    ),
  },
  {
    kind: "services",
    names: parse(
      "Payment gateway/PGW,Fraud scorer/FRS,Report warehouse/RWH,Event stream/EVS,Click stream/CKS,Mail relay/MRL,Feature store/FST,Test database/TDB,Order database/ODB",
    ),
  },
  {
    kind: "lanes",
    names: parse(
      "Rotterdam shuttle/RTS,Harbour shuttle/HBS,Alpine crossing/ALP,Baltic crossing/BLX,Desert line/DSL,Coastal line/CSL,Night train/NTR,Parcel hub/PHB,Cold chain/CCH",
    ),
  },
  {
    kind: "plans",
    names: parse(
      "Starter plan/STP,Family plan/FMP,Student plan/SDP,Night tariff/NGT,Solar tariff/SLT,Travel cover/TCV,Pet cover/PCV,Home cover/HCV,Fibre line/FBL,Mobile line/MBL",
    ),
  },
  {
    kind: "plans",
    names: parse(
      "Fixed mortgage/FXM,Green mortgage/GRM,Car loan/CLN,Bridge loan/BRL,Savings account/SVA,Youth account/YTA,Gold card/GLC,Business card/BSC,Trade credit/TRC",
    ),
  },
];
